/*
 * Converts blocks to bit planes of bytes, and back; computes the S-box on them.
 *
 * References: FIPS 197 (2001, updated 2023), section 5.1.1; aes_ct8.c describes how blocks are in
 * planes.
 */
#ifndef PENNYWEIGHT_AES_CT8_PLANES_H
#define PENNYWEIGHT_AES_CT8_PLANES_H

#include <stdint.h>

#include "inline.h"

typedef uint8_t aes_plane;
#include "sbox_circuit.h"

/* Exchanges the bits of `a` selected by mask << n with those of `b` selected by `mask`. */
ALWAYS_INLINE void exchange(uint8_t *a, uint8_t *b, uint8_t mask, uint8_t n)
{
    const uint8_t t = (uint8_t)((*a >> n ^ *b) & mask);
    *a = (uint8_t)(*a ^ t << n);
    *b ^= t;
}

/* Transposes 8 by 8 bits in local variables, which fit into AVR's registers. */
NEVER_INLINE void transpose(uint8_t q[8])
{
    uint8_t q0 = q[0], q1 = q[1], q2 = q[2], q3 = q[3], q4 = q[4], q5 = q[5], q6 = q[6], q7 = q[7];

    exchange(&q0, &q1, 0x55, 1);
    exchange(&q2, &q3, 0x55, 1);
    exchange(&q4, &q5, 0x55, 1);
    exchange(&q6, &q7, 0x55, 1);
    exchange(&q0, &q2, 0x33, 2);
    exchange(&q1, &q3, 0x33, 2);
    exchange(&q4, &q6, 0x33, 2);
    exchange(&q5, &q7, 0x33, 2);
    exchange(&q0, &q4, 0x0f, 4);
    exchange(&q1, &q5, 0x0f, 4);
    exchange(&q2, &q6, 0x0f, 4);
    exchange(&q3, &q7, 0x0f, 4);
    q[0] = q0, q[1] = q1, q[2] = q2, q[3] = q3, q[4] = q4, q[5] = q5, q[6] = q6, q[7] = q7;
}

/* SUBBYTES of `rows` times 8 bytes in planes, without {63}, which is in the round keys. */
NEVER_INLINE void sub_bytes(uint8_t (*q)[8], uint8_t rows)
{
    do {
        sub_bytes_without_63(*q++);
    } while (--rows != 0);
}

#endif
