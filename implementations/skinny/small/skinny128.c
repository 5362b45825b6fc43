/*
 * SKINNY-128, optimised for code size and memory.
 *
 * References: "The SKINNY Family" (2016), section 2 (see skinny128.h); same names.
 */
#include "skinny128.h"

#include "cells.h"
#include "constants.h"
#include "substitute.h"

void skinny128_set_key(skinny128_schedule *s, const uint8_t *key)
{
    for (uint8_t i = 0; i < 16; i++) {
        s->tk[0][i] = 0;
        s->tk[1][i] = 0;
    }
    copy(s->tk[SKINNY128_TWEAKEYS - 1], key, 16);
}

#if SKINNY128_TWEAKEYS == 3 && SKINNY128_KEEPS_TK3
void skinny128_set_tk2(skinny128_schedule *s, const uint8_t *tk2)
{
    copy(s->tk[1], tk2, 16);
}
#endif

#if SKINNY128_TWEAKEYS == 3 && !SKINNY128_KEEPS_TK3
void skinny128_set_key_tk2(skinny128_schedule *s, const uint8_t *key, const uint8_t *tk2)
{
    skinny128_set_key(s, key);
    copy(s->tk[1], tk2, 16);
}
#endif

void skinny128_add_tk1_upper(skinny128_schedule *s, const uint8_t *upper)
{
    for (uint8_t i = 8; i < 16; i++) {
        s->tk[0][i] ^= *upper++;
    }
}

/* Adds `half` of tweakey `number` to the state's first two rows, and updates it for the round after
 * the next. */
static void add_tweakey(uint8_t *x, uint8_t *half, uint8_t number)
{
    uint8_t old[8];

    copy(old, half, 8);
    for (uint8_t i = 0; i < 8; i++) {
        uint8_t cell = old[flash_u8(&permutation[i])];

        x[i] ^= old[i];
        if (number == 1) {
            cell = (uint8_t)(cell << 1 | ((cell >> 7 ^ cell >> 5) & 1));
        } else if (number == 2) {
            cell = (uint8_t)(cell >> 1 | ((cell << 7 ^ cell << 1) & 0x80));
        }
        half[i] = cell;
    }
}

/* ShiftRows and MixColumns. */
static void mix(uint8_t *x)
{
    uint8_t old[16];

    copy(old, x, 16);
    for (uint8_t j = 0; j < 4; j++, x++) {
        const uint8_t a = old[j], b = old[4 + ((j - 1) & 3)], c = old[8 + (j ^ 2)];

        x[4] = a;
        x[8] = b ^ c;
        x[12] = a ^ c;
        x[0] = a ^ c ^ old[12 + ((j + 1) & 3)];
    }
}

void skinny128_encrypt(const skinny128_schedule *s, const uint8_t *lower, uint8_t *block)
{
    skinny128_schedule t = *s;
    uint8_t rc = 0;
    state x;

    /* The second halves are used for the first time after a permutation; the state to which they
     * are added here is discarded. */
    copy(t.tk[0], lower, 8);
    copy(x.bytes, block, 16);
    for (uint8_t i = 0; i < SKINNY128_TWEAKEYS; i++) {
        add_tweakey(x.bytes, t.tk[i] + 8, i);
    }
    copy(x.bytes, block, 16);
    for (uint8_t round = 0; round < SKINNY128_ROUNDS; round++) {
        for (uint8_t i = 0; i < sizeof x / sizeof *x.cells; i++) {
            x.cells[i] = substitute(x.cells[i]);
        }
        rc = skinny_next_constant(rc);
        x.bytes[0] = (uint8_t)(x.bytes[0] ^ (rc & 15));
        x.bytes[4] ^= rc >> 4;
        x.bytes[8] ^= 2;
        for (uint8_t i = 0; i < SKINNY128_TWEAKEYS; i++) {
            add_tweakey(x.bytes, t.tk[i] + 8 * (round & 1), i);
        }
        mix(x.bytes);
    }
    copy(block, x.bytes, 16);
}
