/*
 * The monitor on a serial line, for boards without a debug probe.
 *
 * Frame, in both directions: 0x7e, the payload's size (one byte), the payload, and a CRC-16 over
 * size and payload, high byte first: polynomial 0x1021, initial value 0xffff, as computed by
 * binascii.crc_hqx. The payload of a request: command, session (two bytes, the low one first),
 * sequence number, data. The payload of an answer: status, sequence number, data. Data read from
 * memory is sent from there, so an answer may be longer than the longest request.
 *
 * A damaged frame gets no answer. The host then sends as many zero bytes as the longest frame has,
 * which completes any frame that the monitor waits for, and repeats the frame. All requests may be
 * repeated; no step runs twice.
 *
 * There is no session after a reset, so the host detects every reset.
 */
#ifdef PW_UART

#include "monitor.h"

enum {
    START = 0x7e,
    HELLO = 'H',   /* starts a session; answer: version, data bytes in a frame, reset cause,
                      signature */
    READ = 'R',    /* address (4), count (1) */
    CHECK = 'C',   /* address (4), count (4); answer: CRC-32 of IEEE 802.3 (reflected 0x04C11DB7),
                      as computed by zlib's crc32 */
    WRITE = 'W',   /* address (4), bytes */
    STEP = 'G',    /* runs the request in the mailbox; answer: its status */
    RESTART = 'X', /* resets the part after the answer, if it has a boot loader in ROM */
    LOADER = 'L',  /* the same, and starts that boot loader */

    OK = 'A',
    NO_SESSION = 'N',
    BAD = 'B',

    VERSION = 3,
    HEAD = 4,
    READ_MOST = 240, /* bytes */
};

static uint16_t crc_of(uint16_t crc, uint8_t byte)
{
    uint8_t i;

    crc ^= (uint16_t)((uint16_t)byte << 8);
    for (i = 0; i < 8; i++) {
        crc = crc & 0x8000 ? (uint16_t)(crc << 1 ^ 0x1021) : (uint16_t)(crc << 1);
    }
    return crc;
}

/* The payload's size; 0 if the frame was damaged. */
static uint8_t receive(uint8_t *payload)
{
    uint16_t crc = UINT16_MAX;
    uint8_t size, i;

    while (pw_uart_get() != START) {
    }
    size = pw_uart_get();
    if (size < HEAD || size > PW_FRAME) {
        return 0;
    }
    crc = crc_of(crc, size);
    for (i = 0; i < size; i++) {
        payload[i] = pw_uart_get();
        crc = crc_of(crc, payload[i]);
    }
    crc ^= (uint16_t)((uint16_t)pw_uart_get() << 8);
    crc ^= pw_uart_get();
    return crc == 0 ? size : 0;
}

/* Sends `size` bytes, then `count` bytes of memory. */
static void send(const uint8_t *payload, uint8_t size, uint32_t address, uint8_t count)
{
    uint8_t whole = (uint8_t)(size + count), i, byte;
    uint16_t crc = crc_of(UINT16_MAX, whole);

    pw_uart_put(START);
    pw_uart_put(whole);
    for (i = 0; i < whole; i++) {
        byte = i < size ? payload[i] : pw_read_byte(address++);
        pw_uart_put(byte);
        crc = crc_of(crc, byte);
    }
    pw_uart_put((uint8_t)(crc >> 8));
    pw_uart_put((uint8_t)crc);
}

static uint32_t word(const uint8_t *at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static uint32_t checksum(uint32_t from, uint32_t count)
{
    uint32_t crc = UINT32_MAX;
    uint8_t i;

    while (count-- != 0) {
        crc ^= pw_read_byte(from++);
        for (i = 0; i < 8; i++) {
            crc = crc & 1 ? crc >> 1 ^ UINT32_C(0xedb88320) : crc >> 1;
        }
    }
    return ~crc;
}

/* Answers one request in place. Returns the answer's size. `count`: bytes at the request's address
 * that belong to the answer; `leave`: a request after which the part is reset. */
static uint8_t answer(uint8_t *frame, uint8_t size, uint16_t *session, uint8_t *done,
                      uint8_t *count, uint8_t *leave)
{
    uint16_t named = (uint16_t)(frame[1] | frame[2] << 8);
    uint8_t command = frame[0], sequence = frame[3], i;
    uint32_t address, crc;
    uint8_t *to;

    frame[0] = OK;
    frame[1] = sequence;
    if (command == HELLO) {
        *session = named;
        *done = sequence;
        frame[2] = VERSION;
        frame[3] = PW_FRAME - 8;
        return (uint8_t)(4 + pw_identity(frame + 4));
    }
    if (named != *session || *session == 0) {
        frame[0] = NO_SESSION;
        return 2;
    }
    if (command == STEP) {
        if (sequence != *done) {
            *done = sequence;
            pw_watchdog_start();
            pw_device_step();
            pw_watchdog_stop();
            if (pw_mailbox.command == PW_SETUP) {
                /* The clock may run only now. */
                pw_uart_start();
            }
        }
        frame[2] = (uint8_t)pw_mailbox.status;
        return 3;
    }
    address = word(frame + HEAD);
    if (command == READ && size == HEAD + 5 && frame[HEAD + 4] <= READ_MOST) {
        *count = frame[HEAD + 4];
        return 2;
    }
    if (command == CHECK && size == HEAD + 8) {
        crc = checksum(address, word(frame + HEAD + 4));
        for (i = 0; i < 4; i++) {
            frame[2 + i] = (uint8_t)(crc >> 8 * i);
        }
        return 6;
    }
    if (command == WRITE && size >= HEAD + 4) {
        to = pw_ram(address);
        for (i = HEAD + 4; i < size; i++) {
            *(volatile uint8_t *)to++ = frame[i];
        }
        return 2;
    }
#ifdef PW_ROM_LOADER
    if (command == RESTART || command == LOADER) {
        *leave = command;
        return 2;
    }
#endif
    frame[0] = BAD;
    return 2;
}

void pw_serial_loop(void)
{
    uint8_t frame[PW_FRAME];
    uint16_t session = 0;
    uint8_t done = 0, leave = 0;

    pw_clock_start();
    pw_uart_start();
    for (;;) {
        uint8_t size = receive(frame), count = 0;

        if (size != 0) {
            size = answer(frame, size, &session, &done, &count, &leave);
            send(frame, size, word(frame + HEAD), count);
        }
#ifdef PW_ROM_LOADER
        if (leave != 0) {
            pw_restart(leave == LOADER);
        }
#endif
    }
}

#endif
