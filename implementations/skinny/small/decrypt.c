/*
 * SKINNY-128 decryption, optimised for code size and memory.
 *
 * References: "The SKINNY Family" (2016), section 2 (see skinny128.h); same names.
 */
#include "skinny128.h"

#include "cells.h"
#include "constants.h"
#include "unsubstitute.h"

/* One step of the LFSR of TK2, or back, which is that of TK3. */
static uint8_t step(uint8_t cell, uint8_t back)
{
    if (back) {
        return (uint8_t)(cell >> 1 | ((cell << 7 ^ cell << 1) & 0x80));
    }
    return (uint8_t)(cell << 1 | ((cell >> 7 ^ cell >> 5) & 1));
}

/* Updates `half` of tweakey `number` for the round after the next. */
static void update(uint8_t *half, uint8_t number)
{
    uint8_t old[8];

    copy(old, half, 8);
    for (uint8_t i = 0; i < 8; i++) {
        const uint8_t cell = old[flash_u8(&permutation[i])];

        half[i] = number == 0 ? cell : step(cell, number == 2);
    }
}

/* The inverse, which also adds the half to the state's first two rows. */
static void add_previous(uint8_t *x, uint8_t *half, uint8_t number)
{
    uint8_t old[8];

    copy(old, half, 8);
    for (uint8_t i = 0; i < 8; i++) {
        half[flash_u8(&permutation[i])] = number == 0 ? old[i] : step(old[i], number == 1);
    }
    for (uint8_t i = 0; i < 8; i++) {
        x[i] ^= half[i];
    }
}

/* The inverse of ShiftRows and MixColumns. */
static void unmix(uint8_t *x)
{
    uint8_t old[16];

    copy(old, x, 16);
    for (uint8_t j = 0; j < 4; j++) {
        const uint8_t a = old[4 + j], c = old[12 + j] ^ a;

        x[j] = a;
        x[4 + ((j - 1) & 3)] = old[8 + j] ^ c;
        x[8 + (j ^ 2)] = c;
        x[12 + ((j + 1) & 3)] = old[j] ^ old[12 + j];
    }
}

/* The round constant that precedes `rc`. */
static uint8_t previous_constant(uint8_t rc)
{
    return (uint8_t)(rc >> 1 | (~(rc ^ rc >> 5) & 1) << 5);
}

void skinny128_decrypt(const skinny128_schedule *s, const uint8_t *lower, uint8_t *block)
{
    skinny128_schedule t = *s;
    uint8_t rc = 0;
    state x;

    copy(t.tk[0], lower, 8);
    copy(x.bytes, block, 16);
    for (uint8_t i = 0; i < SKINNY128_TWEAKEYS; i++) {
        /* The second half is used for the first time after a permutation. */
        update(t.tk[i] + 8, i);
        for (uint8_t n = SKINNY128_ROUNDS / 2; n != 0; n--) {
            update(t.tk[i], i);
            update(t.tk[i] + 8, i);
        }
    }
    for (uint8_t n = SKINNY128_ROUNDS; n != 0; n--) {
        rc = skinny_next_constant(rc);
    }
    for (uint8_t round = SKINNY128_ROUNDS; round-- != 0;) {
        unmix(x.bytes);
        for (uint8_t i = 0; i < SKINNY128_TWEAKEYS; i++) {
            add_previous(x.bytes, t.tk[i] + 8 * (round & 1), i);
        }
        x.bytes[0] = (uint8_t)(x.bytes[0] ^ (rc & 15));
        x.bytes[4] ^= rc >> 4;
        x.bytes[8] ^= 2;
        rc = previous_constant(rc);
        for (uint8_t i = 0; i < sizeof x / sizeof *x.cells; i++) {
            x.cells[i] = unsubstitute(x.cells[i]);
        }
    }
    copy(block, x.bytes, 16);
}
