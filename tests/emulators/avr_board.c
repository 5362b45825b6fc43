/*
 * An AVR board for tests, by default an ATmega328P, on libsimavr: a debug server, or a serial port
 * that resets the part when it is opened, as an Arduino's does.
 *
 *   avr_board gdb PORT [PART]          GDB's remote protocol on a TCP port
 *   avr_board serial BOOTLOADER.hex    a pseudo terminal, whose name it prints; the boot loader
 * runs first
 *
 * It prints one line when it is ready. SIGTERM ends it. The boot loader runs in real time, because
 * it waits a second for the programmer. Everything else runs as fast as possible.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_gdb.h>
#include <simavr/sim_hex.h>

enum {
    HZ = 16000000,
    SLICE = 1000, /* cycles between two polls of the line */
    MCUSR = 0x54, /* its address in data space, and the external reset flag */
    EXTRF = 2,
    STRIDE = 2000, /* instructions between two polls by the debug server */
};

struct line {
    int master;
    int open;  /* is the other end open? */
    int ready; /* does the part's receiver take a byte? */
    avr_irq_t *input;
};

static void die(const char *what)
{
    fprintf(stderr, "avr_board: %s\n", what);
    exit(1);
}

static void on_output(struct avr_irq_t *irq, uint32_t value, void *param)
{
    struct line *line = param;
    uint8_t byte = (uint8_t)value;

    (void)irq;
    if (line->open && write(line->master, &byte, 1) != 1) {
        line->open = 0;
    }
}

static void on_xon(struct avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq;
    (void)value;
    ((struct line *)param)->ready = 1;
}

static void on_xoff(struct avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq;
    (void)value;
    ((struct line *)param)->ready = 0;
}

static void run_serial(avr_t *avr, const char *boot_loader)
{
    struct line line = {.master = posix_openpt(O_RDWR | O_NOCTTY), .ready = 1};
    struct termios raw;
    uint32_t size, start, flags = 0;
    int loading = 0;
    struct timespec begun, now;
    avr_cycle_count_t next = 0, origin = 0;
    uint8_t *code = read_ihex_file(boot_loader, &size, &start);

    if (code == NULL) {
        die("the boot loader cannot be read");
    }
    memcpy(avr->flash + start, code, size);
    avr->codeend = avr->flashend;
    avr->reset_pc = start;
    if (line.master < 0 || grantpt(line.master) || unlockpt(line.master)) {
        die("no pseudo terminal");
    }
    tcgetattr(line.master, &raw);
    cfmakeraw(&raw);
    tcsetattr(line.master, TCSANOW, &raw);
    fcntl(line.master, F_SETFL, O_NONBLOCK);

    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    line.input = avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT),
                            on_output, &line);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUT_XON),
                            on_xon, &line);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUT_XOFF),
                            on_xoff, &line);
    /* Opens and closes it once, so that the line is hung up until a client opens it. */
    close(open(ptsname(line.master), O_RDWR | O_NOCTTY));
    printf("%s\n", ptsname(line.master));
    fflush(stdout);
    avr_reset(avr);
    for (;;) {
        struct pollfd poll_fd = {.fd = line.master, .events = POLLIN};
        uint8_t byte;

        poll(&poll_fd, 1, 0);
        if (poll_fd.revents & POLLHUP) {
            line.open = 0;
            while (read(line.master, &byte, 1) == 1) {
            }
        } else if (!line.open) {
            line.open = 1;
            avr_reset(avr);
            avr->data[MCUSR] = EXTRF;
            loading = 0;
        }
        if (line.open && line.ready && (poll_fd.revents & POLLIN) &&
            read(line.master, &byte, 1) == 1) {
            avr_raise_irq(line.input, byte);
        }
        next = avr->cycle + SLICE;
        while (avr->cycle < next) {
            int state = avr_run(avr);
            if (state == cpu_Done || state == cpu_Crashed) {
                avr_reset(avr);
            }
        }
        if (avr->pc < start) {
            loading = 0;
            continue;
        }
        clock_gettime(CLOCK_MONOTONIC, &now);
        if (!loading) {
            loading = 1;
            origin = avr->cycle;
            begun = now;
        }
        double passed =
            (double)(now.tv_sec - begun.tv_sec) + (double)(now.tv_nsec - begun.tv_nsec) / 1e9;
        double simulated = (double)(avr->cycle - origin) / HZ;
        if (simulated > passed + 0.001) {
            usleep((useconds_t)((simulated - passed) * 1e6));
        }
    }
}

int main(int argc, char **argv)
{
    avr_t *avr = avr_make_mcu_by_name(argc == 4 ? argv[3] : "atmega328p");

    if (argc < 3 || argc > 4 || avr == NULL) {
        die("gdb PORT [PART], or serial BOOTLOADER.hex");
    }
    avr_init(avr);
    avr->frequency = HZ;
    avr->log = LOG_NONE;
    memset(avr->flash, 0xff, avr->flashend + 1);
    if (strcmp(argv[1], "serial") == 0) {
        run_serial(avr, argv[2]);
    }
    avr->codeend = avr->flashend;
    avr->gdb_port = atoi(argv[2]);
    avr->state = cpu_Stopped;
    if (avr_gdb_init(avr)) {
        die("the port is not free");
    }
    printf("ready\n");
    fflush(stdout);
    /* simavr's server checks for packets and breakpoints before each instruction, with a system
     * call; here only once in a while. The program waits at its breakpoints in a jump to itself. */
    for (;;) {
        avr_run(avr);
        for (int i = 0; i < STRIDE && avr->state == cpu_Running; i++) {
            avr_callback_run_raw(avr);
        }
    }
}
