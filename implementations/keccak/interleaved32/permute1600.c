/*
 * Keccak-f[1600] on interleaved bits. Rotating a lane rotates each of its two words and swaps them
 * if the amount is odd.
 *
 * References: FIPS 202 (2015), sections 3.2 and 3.3: theta, rho, pi, chi, iota; same names;
 * "Keccak implementation overview" (2012), section 2.1.
 */
#include "keccak1600.h"

#include "native/native.h"

#if !KECCAK1600_NATIVE

#include "inline.h"
#include "unroll.h"

/* `x` rotated left by a constant, 0 <= n < 32. */
#define ROL(x, n) ((n) == 0 ? (x) : (x) << ((n) & 31) | (x) >> ((32 - (n)) & 31))

/* The even (half = 0) or odd bits (half = 1) of lane (x, y) of `a` after theta and a rotation by n.
 */
#define RHO(a, d, half, x, y, n)                                                                   \
    (((n) + (half)) % 2 == 0 ? ROL((a)->even[(x) + 5 * (y)] ^ (d)[x], (n) / 2)                     \
                             : ROL((a)->odd[(x) + 5 * (y)] ^ (d)[5 + (x)], ((n) + 1) / 2))

/* Chi on half a plane. */
#define CHI(e, b0, b1, b2, b3, b4)                                                                 \
    do {                                                                                           \
        (e)[0] = b0 ^ (~b1 & b2);                                                                  \
        (e)[1] = b1 ^ (~b2 & b3);                                                                  \
        (e)[2] = b2 ^ (~b3 & b4);                                                                  \
        (e)[3] = b3 ^ (~b4 & b0);                                                                  \
        (e)[4] = b4 ^ (~b0 & b1);                                                                  \
    } while (0)

/* C, the parities of the columns of `a`. */
ALWAYS_INLINE void parities(uint32_t *c, const uint32_t *a)
{
    UNROLL
    for (uint8_t x = 0; x < 5; x++) {
        c[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
    }
}

/* Rho, pi and chi for half of each lane, to `e`. Pi moves (x + 3 y, x) to (x, y). */
ALWAYS_INLINE void half_round(uint32_t *e, const keccak1600_state *a, const uint32_t *d, int half)
{
    {
        const uint32_t b0 = RHO(a, d, half, 0, 0, 0), b1 = RHO(a, d, half, 1, 1, 44);
        const uint32_t b2 = RHO(a, d, half, 2, 2, 43), b3 = RHO(a, d, half, 3, 3, 21);
        const uint32_t b4 = RHO(a, d, half, 4, 4, 14);

        CHI(e, b0, b1, b2, b3, b4);
    }
    {
        const uint32_t b0 = RHO(a, d, half, 3, 0, 28), b1 = RHO(a, d, half, 4, 1, 20);
        const uint32_t b2 = RHO(a, d, half, 0, 2, 3), b3 = RHO(a, d, half, 1, 3, 45);
        const uint32_t b4 = RHO(a, d, half, 2, 4, 61);

        CHI(e + 5, b0, b1, b2, b3, b4);
    }
    {
        const uint32_t b0 = RHO(a, d, half, 1, 0, 1), b1 = RHO(a, d, half, 2, 1, 6);
        const uint32_t b2 = RHO(a, d, half, 3, 2, 25), b3 = RHO(a, d, half, 4, 3, 8);
        const uint32_t b4 = RHO(a, d, half, 0, 4, 18);

        CHI(e + 10, b0, b1, b2, b3, b4);
    }
    {
        const uint32_t b0 = RHO(a, d, half, 4, 0, 27), b1 = RHO(a, d, half, 0, 1, 36);
        const uint32_t b2 = RHO(a, d, half, 1, 2, 10), b3 = RHO(a, d, half, 2, 3, 15);
        const uint32_t b4 = RHO(a, d, half, 3, 4, 56);

        CHI(e + 15, b0, b1, b2, b3, b4);
    }
    {
        const uint32_t b0 = RHO(a, d, half, 2, 0, 62), b1 = RHO(a, d, half, 3, 1, 55);
        const uint32_t b2 = RHO(a, d, half, 4, 2, 39), b3 = RHO(a, d, half, 0, 3, 41);
        const uint32_t b4 = RHO(a, d, half, 1, 4, 2);

        CHI(e + 20, b0, b1, b2, b3, b4);
    }
}

/* A round with a constant in two parts, from `a` to `e`. */
NEVER_INLINE void keccak1600_round(keccak1600_state *e, const keccak1600_state *a,
                                   const uint32_t *constant)
{
    uint32_t c[10], d[10]; /* the even parts, the odd ones */

    parities(c, a->even);
    parities(c + 5, a->odd);
    UNROLL
    for (uint8_t x = 0; x < 5; x++) {
        const uint8_t before = (uint8_t)((x + 4) % 5), behind = (uint8_t)((x + 1) % 5);

        d[x] = c[before] ^ ROL(c[5 + behind], 1);
        d[5 + x] = c[5 + before] ^ c[behind];
    }
    half_round(e->even, a, d, 0);
    e->even[0] ^= constant[0];
    half_round(e->odd, a, d, 1);
    e->odd[0] ^= constant[1];
}

void keccak1600_permute(keccak1600_state *state)
{
    /* For each round the constant's even bits and its odd ones. */
    static const uint32_t constants[2 * KECCAK1600_ROUNDS] = {
        1, 0x00000000, 0, 0x00000089, 0, 0x8000008b, 0, 0x80008080, 1, 0x0000008b, 1, 0x00008000,
        1, 0x80008088, 1, 0x80000082, 0, 0x0000000b, 0, 0x0000000a, 1, 0x00008082, 0, 0x00008003,
        1, 0x0000808b, 1, 0x8000000b, 1, 0x8000008a, 1, 0x80000081, 0, 0x80000081, 0, 0x80000008,
        0, 0x00000083, 0, 0x80008003, 1, 0x80008088, 0, 0x80000088, 1, 0x00008000, 0, 0x80008082,
    };
    keccak1600_state other;

    for (uint8_t i = 0; i < 2 * KECCAK1600_ROUNDS; i = (uint8_t)(i + 4)) {
        keccak1600_round(&other, state, &constants[i]);
        keccak1600_round(state, &other, &constants[i + 2]);
    }
}

#endif
