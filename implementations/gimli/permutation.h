/*
 * Gimli's permutation, a column at a time for two rounds.
 *
 * References: "Gimli" (2019), sections 2.5 to 2.9 (see gimli.h).
 *
 * GIMLI_CALL is ALWAYS_INLINE or NEVER_INLINE, for the SP-boxes.
 */
#ifndef PENNYWEIGHT_GIMLI_PERMUTATION_H
#define PENNYWEIGHT_GIMLI_PERMUTATION_H

#include "gimli.h"
#include "keep.h"
#include "order.h"
#include "rotate.h"

/* `x` shifted left by 1, 2 or 3 bits. On AVR, where a one-bit shift is an addition, shifts bit by
 * bit; the compiler would emit a loop. */
ALWAYS_INLINE uint32_t gimli_shift(uint32_t x, unsigned n)
{
#if defined(__AVR__)
    x += x;
    if (n > 1) {
        KEEP(x);
        x += x;
    }
    if (n > 2) {
        KEEP(x);
        x += x;
    }
    return x;
#else
    return x << n;
#endif
}

/* The SP-box on all columns, `rounds` times. */
GIMLI_CALL void gimli_columns(uint32_t *s, uint8_t rounds)
{
    for (uint8_t j = 0; j < 4; j++, s++) {
        uint32_t a = little_endian32(s[0]), b = little_endian32(s[4]), c = little_endian32(s[8]);
        uint8_t left = rounds;

        do {
            const uint32_t x = rotl32(a, 24), y = rotl32(b, 9), z = c;

            c = x ^ gimli_shift(z, 1) ^ gimli_shift(y & z, 2);
            b = y ^ x ^ gimli_shift(x | z, 1);
            a = z ^ y ^ gimli_shift(x & y, 3);
            left--;
        } while (left != 0);
        s[0] = little_endian32(a);
        s[4] = little_endian32(b);
        s[8] = little_endian32(c);
    }
}

/* Exchanges two words. */
ALWAYS_INLINE void gimli_swap(uint32_t *x, uint32_t *y)
{
    const uint32_t t = *x;

    *x = *y;
    *y = t;
}

/* Columns mix after rounds 24, 20, ..., 4 (small swap) and 22, 18, ..., 2 (big swap). */
void gimli_permute(gimli_state *state)
{
    uint32_t *s = state->words;
    uint8_t round = 24;

    gimli_columns(s, 1);
    for (;;) {
        gimli_swap(&s[0], &s[1]);
        gimli_swap(&s[2], &s[3]);
        s[0] ^= little_endian32(UINT32_C(0x9e377900) | round);
        gimli_columns(s, 2);
        gimli_swap(&s[0], &s[2]);
        gimli_swap(&s[1], &s[3]);
        round = (uint8_t)(round - 4);
        if (round == 0) {
            break;
        }
        gimli_columns(s, 2);
    }
    gimli_columns(s, 1);
}

#endif
