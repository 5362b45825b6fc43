/*
 * Keccak-p[200, n] in ten words, for machines with registers for most of them.
 *
 * References: FIPS 202 (2015), sections 3.2 and 3.3. H. S. Warren, "Hacker's Delight" (2nd ed.,
 * 2012), section 7-3, on exchanges of bits.
 *
 * The words w0 to w4 have the planes y = 1 to 4: nibble n of wx is bit n of the lanes (x, 1),
 * (x, 3), (x, 2) and (x, 4), the last as the highest. z0 to z4 have the plane y = 0: bit 4 n of zx
 * is bit n of lane (x, 0), the other bits are zero. So rotating a word by 4 n rotates its lanes by
 * n, and rotating it by less moves a lane to another bit of the nibbles. Rho and pi together are
 * one rotation of each lane, by 4 times rho's offset and the difference of those bits.
 */
#ifndef PENNYWEIGHT_KECCAK_COLUMNS200_H
#define PENNYWEIGHT_KECCAK_COLUMNS200_H

#include "bytes.h"
#include "constants.h"
#include "inline.h"
#include "keccak200.h"
#include "rotate.h"

/* Bit 0 of each nibble. */
#define BIT_0 UINT32_C(0x11111111)

/* Bits 0 to 7 of a constant as bits 0, 4, ... */
#define SPREAD(c)                                                                                  \
    (((c) & 0x01u) | ((c) & 0x02u) << 3 | ((c) & 0x04u) << 6 | ((c) & 0x08u) << 9 |                \
     ((c) & 0x10u) << 12 | ((c) & 0x20u) << 15 | ((c) & 0x40u) << 18 | ((c) & 0x80u) << 21)
#define SPREAD_18(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r)                            \
    SPREAD(a), SPREAD(b), SPREAD(c), SPREAD(d), SPREAD(e), SPREAD(f), SPREAD(g), SPREAD(h),        \
        SPREAD(i), SPREAD(j), SPREAD(k), SPREAD(l), SPREAD(m), SPREAD(n), SPREAD(o), SPREAD(p),    \
        SPREAD(q), SPREAD(r)
#define SPREAD_ALL(...) SPREAD_18(__VA_ARGS__)

/* Exchanges the bits under `mask` << n with those under `mask`. */
ALWAYS_INLINE uint32_t exchange_within(uint32_t x, unsigned n, uint32_t mask)
{
    const uint32_t difference = (x ^ x >> n) & mask;

    return x ^ difference ^ difference << n;
}

/* Interleaves the bits of bytes 0, 2, 1 and 3. */
ALWAYS_INLINE uint32_t interleave(uint32_t x)
{
    x = exchange_within(x, 6, UINT32_C(0x00cc00cc));
    x = exchange_within(x, 3, UINT32_C(0x0a0a0a0a));
    return exchange_within(x, 15, UINT32_C(0x0000aaaa));
}

/* The inverse. */
ALWAYS_INLINE uint32_t separate(uint32_t x)
{
    x = exchange_within(x, 15, UINT32_C(0x0000aaaa));
    x = exchange_within(x, 3, UINT32_C(0x0a0a0a0a));
    return exchange_within(x, 6, UINT32_C(0x00cc00cc));
}

/* The four lanes of a column from y = 1 on, the first at `p`. */
ALWAYS_INLINE uint32_t load_column(const uint8_t *p)
{
    return interleave((uint32_t)p[0] | (uint32_t)p[5] << 8 | (uint32_t)p[10] << 16 |
                      (uint32_t)p[15] << 24);
}

/* The inverse: stores the lanes of `w`, the first at `p`. */
ALWAYS_INLINE void store_column(uint8_t *p, uint32_t w)
{
    w = separate(w);
    p[0] = (uint8_t)w;
    p[5] = (uint8_t)(w >> 8);
    p[10] = (uint8_t)(w >> 16);
    p[15] = (uint8_t)(w >> 24);
}

/* Bits 0 to 7 of a byte as bits 0, 4, ... */
ALWAYS_INLINE uint32_t spread(uint32_t x)
{
    x = (x | x << 12) & UINT32_C(0x000f000f);
    x = (x | x << 6) & UINT32_C(0x03030303);
    return (x | x << 3) & BIT_0;
}

/* The inverse. */
ALWAYS_INLINE uint8_t gather(uint32_t x)
{
    x = (x | x >> 3) & UINT32_C(0x03030303);
    x = (x | x >> 6) & UINT32_C(0x000f000f);
    return (uint8_t)(x | x >> 12);
}

/* The parity of a column in bits 0, 4, ...; the other bits are arbitrary. */
ALWAYS_INLINE uint32_t parity(uint32_t w, uint32_t z)
{
    w ^= w >> 2;
    return w ^ w >> 1 ^ z;
}

/* Theta for column x, with the parities of the columns before and after it. */
#define THETA(x, before, after)                                                                    \
    do {                                                                                           \
        const uint32_t d = ((before) ^ rotl32(after, 4)) & BIT_0;                                  \
                                                                                                   \
        z##x ^= d;                                                                                 \
        w##x ^= (d << 4) - d;                                                                      \
    } while (0)

/* The lane at `bit` of each nibble, rotated. */
ALWAYS_INLINE uint32_t lane(uint32_t w, unsigned bit, unsigned n)
{
    return rotl32(w & BIT_0 << bit, n);
}

#define CHI(a, b, c) ((a) ^ (~(b) & (c)))

void keccak200_permute(uint8_t *state, uint8_t rounds)
{
    static const uint32_t constants[KECCAK200_ROUNDS] = {SPREAD_ALL(KECCAK200_CONSTANTS)};
    const uint32_t *constant = &constants[KECCAK200_ROUNDS - rounds];
    const uint32_t plane = interleave(load32_le(state));
    uint32_t z0 = plane & BIT_0, z1 = plane >> 2 & BIT_0, z2 = plane >> 1 & BIT_0;
    uint32_t z3 = plane >> 3 & BIT_0, z4 = spread(state[4]);
    uint32_t w0 = load_column(state + 5), w1 = load_column(state + 6), w2 = load_column(state + 7);
    uint32_t w3 = load_column(state + 8), w4 = load_column(state + 9);

    do {
        const uint32_t p0 = parity(w0, z0), p1 = parity(w1, z1), p2 = parity(w2, z2);
        const uint32_t p3 = parity(w3, z3), p4 = parity(w4, z4);

        THETA(0, p4, p1);
        THETA(1, p0, p2);
        THETA(2, p1, p3);
        THETA(3, p2, p4);
        THETA(4, p3, p0);

        /* Rho and pi. */
        const uint32_t v0 = rotl32(z1, 6) | rotl32(z2, 27) | rotl32(z3, 16) | rotl32(z4, 13);
        const uint32_t v1 = lane(w0, 0, 17) | lane(w2, 0, 26) | lane(w3, 0, 31) | lane(w4, 0, 16);
        const uint32_t y1 = lane(w1, 0, 16);
        const uint32_t v2 = lane(w0, 2, 10) | lane(w1, 2, 7) | lane(w3, 2, 4) | lane(w4, 2, 29);
        const uint32_t y2 = lane(w2, 2, 10);
        const uint32_t v3 = lane(w0, 1, 6) | lane(w1, 1, 19) | lane(w2, 1, 28) | lane(w4, 1, 1);
        const uint32_t y3 = lane(w3, 1, 19);
        const uint32_t v4 = lane(w0, 3, 7) | lane(w1, 3, 8) | lane(w2, 3, 17) | lane(w3, 3, 30);
        const uint32_t y4 = lane(w4, 3, 21), y0 = z0;

        w0 = CHI(v0, v1, v2);
        w1 = CHI(v1, v2, v3);
        w2 = CHI(v2, v3, v4);
        w3 = CHI(v3, v4, v0);
        w4 = CHI(v4, v0, v1);
        z0 = CHI(y0, y1, y2) ^ *constant++;
        z1 = CHI(y1, y2, y3);
        z2 = CHI(y2, y3, y4);
        z3 = CHI(y3, y4, y0);
        z4 = CHI(y4, y0, y1);
    } while (constant != &constants[KECCAK200_ROUNDS]);

    store32_le(state, separate(z0 | z1 << 2 | z2 << 1 | z3 << 3));
    state[4] = gather(z4);
    store_column(state + 5, w0);
    store_column(state + 6, w1);
    store_column(state + 7, w2);
    store_column(state + 8, w3);
    store_column(state + 9, w4);
}

#undef BIT_0
#undef SPREAD
#undef SPREAD_18
#undef SPREAD_ALL
#undef THETA
#undef CHI

#endif
