/*
 * A round of Keccak-p, optimised for code size, for lanes of LANE_BITS bits in the type LANE.
 *
 * References: FIPS 202 (2015), sections 3.2 and 3.3: theta, rho, pi, chi; same names.
 */
#ifndef PENNYWEIGHT_KECCAK_SMALL_ROUND_H
#define PENNYWEIGHT_KECCAK_SMALL_ROUND_H

#include "inline.h"

/* `x` rotated left by `n` bits, n < LANE_BITS. */
static inline LANE keccak_rol(LANE x, uint8_t n)
{
#if defined(__AVR__)
    for (; n != 0; n--) {
        x = (LANE)(x << 1 | x >> (LANE_BITS - 1));
    }
    return x;
#else
    return (LANE)(x << n | x >> (LANE_BITS - n));
#endif
}

/* 1 more than x, modulo 5. */
static inline uint8_t keccak_next(uint8_t x)
{
    return x == 4 ? 0 : (uint8_t)(x + 1);
}

/* A whole round except iota. */
NEVER_INLINE void keccak_round(LANE *a)
{
    /* The positions to which pi moves lane (1, 0) in turn. */
    static const uint8_t path[24] IN_FLASH = {10, 7,  11, 17, 18, 3, 5,  16, 8,  21, 24, 4,
                                              15, 23, 19, 13, 12, 2, 20, 14, 22, 9,  6,  1};
    LANE c[5], moved;
    uint8_t x, y;

    for (x = 0; x < 5; x++) {
        c[x] = 0;
        for (y = x; y < 25; y = (uint8_t)(y + 5)) {
            c[x] ^= a[y];
        }
    }
    for (x = 0; x < 5; x++) {
        const uint8_t next = keccak_next(x);
        const LANE d = (LANE)(c[x] ^ keccak_rol(c[keccak_next(next)], 1));

        for (y = next; y < 25; y = (uint8_t)(y + 5)) {
            a[y] ^= d;
        }
    }
    moved = a[1];
    for (x = 0, y = 0; x < 24; x++) {
        const uint8_t to = flash_u8(&path[x]);
        const LANE before = a[to];

        y = (uint8_t)((y + x + 1) % LANE_BITS); /* (t + 1)(t + 2) / 2 */
        a[to] = keccak_rol(moved, y);
        moved = before;
    }
    for (y = 0; y < 25; y = (uint8_t)(y + 5)) {
        LANE *row = a + y;

        for (x = 0; x < 5; x++) {
            c[x] = row[x];
        }
        for (x = 0; x < 5; x++) {
            const uint8_t next = keccak_next(x);

            row[x] ^= (LANE)(~c[next] & c[keccak_next(next)]);
        }
    }
}

#endif
