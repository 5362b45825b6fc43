/*
 * simavr as a peer: executes the commands on standard input and writes the state after each
 * instruction to standard output. Linked with libsimavr; all numbers are little-endian.
 *
 *   simavr_peer CHIP
 *
 * At start it writes flash size and last SRAM address (two 32-bit words). Then it reads commands,
 * by first byte:
 *
 *   P size bytes            flash: erased, then `bytes` from address 0
 *   M address size bytes    data space (32-bit address and size)
 *   S r0..r31 sreg 0 sp pc  registers: 32 bytes, one, one, 16 bits, 32 bits (bytes of flash)
 *   X count                 executes that many instructions, a record after each
 *   F                       flushes the records
 *
 * A record has 64 bytes: r0..r31, sreg, the bytes at `io` and RAMPZ, 0, sp (32 bits), pc (32 bits),
 * 0 (32 bits), cycles since the start (64 bits), a hash of SRAM (64 bits).
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <simavr/sim_avr.h>
#include <simavr/sim_core.h>

enum {
    IO = 0x3e, /* a register without side effects: GPIOR0, or EEARL on the ATmega128 */
    RAMPZ = 0x5b,
    SPL = 0x5d,
    SPH = 0x5e,
    SRAM = 0x100,
};

static avr_t *avr;

static void get(void *to, size_t size)
{
    if (fread(to, 1, size, stdin) != size) {
        exit(0); /* the other side has closed the pipe */
    }
}

static uint32_t get32(void)
{
    uint8_t b[4];

    get(b, sizeof b);
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static void put(const void *from, size_t size)
{
    if (fwrite(from, 1, size, stdout) != size) {
        exit(1);
    }
}

static uint8_t *store(uint8_t *to, uint64_t value, int size)
{
    for (int i = 0; i < size; i++) {
        *to++ = (uint8_t)(value >> 8 * i);
    }
    return to;
}

/* Four interleaved multiplicative hashes over 64-bit words, so that the CPU computes them in
 * parallel. SRAM's size is a multiple of 32 bytes. */
static uint64_t hash(const uint8_t *p, size_t size)
{
    static const uint64_t prime = 0x100000001b3;
    uint64_t lane[4] = {1, 2, 3, 4};

    for (size_t i = 0; i < size; i += 32) {
        for (int j = 0; j < 4; j++) {
            uint64_t word;
            memcpy(&word, p + i + 8 * j, 8);
            lane[j] = (lane[j] ^ word) * prime;
            lane[j] ^= lane[j] >> 29;
        }
    }
    return ((lane[0] * prime ^ lane[1]) * prime ^ lane[2]) * prime ^ lane[3];
}

static void put_record(void)
{
    uint8_t record[64] = {0};
    uint8_t *p = record + 32;
    uint8_t sreg = 0;

    memcpy(record, avr->data, 32);
    for (int i = 0; i < 8; i++) {
        sreg |= (uint8_t)((avr->sreg[i] != 0) << i);
    }
    p = store(p, sreg, 1);
    p = store(p, avr->data[IO], 1);
    p = store(p, avr->data[RAMPZ], 1);
    p = store(p, 0, 1);
    p = store(p, avr->data[SPL] | avr->data[SPH] << 8, 4);
    p = store(p, avr->pc, 4);
    p = store(p, 0, 4);
    p = store(p, avr->cycle, 8);
    store(p, hash(avr->data + SRAM, avr->ramend + 1 - SRAM), 8);
    put(record, sizeof record);
}

static void set_program(void)
{
    const uint32_t size = get32();

    if (size > avr->flashend + 1) {
        exit(1);
    }
    memset(avr->flash, 0xff, avr->flashend + 1);
    get(avr->flash, size);
}

static void set_memory(void)
{
    const uint32_t address = get32();
    const uint32_t size = get32();

    if (address > avr->ramend || size > avr->ramend + 1 - address) {
        exit(1);
    }
    get(avr->data + address, size);
}

static void set_registers(void)
{
    uint8_t b[40];

    get(b, sizeof b);
    memcpy(avr->data, b, 32);
    for (int i = 0; i < 8; i++) {
        avr->sreg[i] = b[32] >> i & 1;
    }
    avr->data[SPL] = b[34];
    avr->data[SPH] = b[35];
    avr->pc = b[36] | (uint32_t)b[37] << 8 | (uint32_t)b[38] << 16 | (uint32_t)b[39] << 24;
}

static void step(uint32_t count)
{
    while (count-- > 0) {
        avr->state = cpu_Running;
        avr->run_cycle_count = 0; /* one instruction per call */
        avr->pc = avr_run_one(avr);
        put_record();
    }
}

int main(int argc, char **argv)
{
    static char buffer[1 << 20];
    uint8_t b[8];

    if (argc != 2 || (avr = avr_make_mcu_by_name(argv[1])) == NULL || avr_init(avr) != 0) {
        fprintf(stderr, "usage: simavr_peer CHIP, where CHIP is one that simavr knows\n");
        return 2;
    }
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    store(store(b, avr->flashend + 1, 4), avr->ramend, 4);
    put(b, sizeof b);
    fflush(stdout);
    for (;;) {
        uint8_t command;
        get(&command, 1);
        switch (command) {
        case 'P':
            set_program();
            break;
        case 'M':
            set_memory();
            break;
        case 'S':
            set_registers();
            break;
        case 'X':
            step(get32());
            break;
        case 'F':
            fflush(stdout);
            break;
        default:
            return 1;
        }
    }
}
