/*
 * A round of Keccak-p[200] for machines whose instructions rotate an operand for free: lanes are
 * stored with a pending rotation, and only the operands that are added to them or multiplied by
 * them are rotated to match.
 *
 * References: FIPS 202 (2015), sections 3.2 and 3.3; same names.
 *
 * Word x + 5 y has four copies of lane (x, y), rotated to the left by Txy bits. Rho, which rotates
 * it by n bits, needs no rotation if T is less by n at its position after pi. Along the 24 lanes
 * that pi moves in a cycle, rho's offsets add up to 2600, which is a multiple of 8: so the same T
 * hold in every round.
 */
#ifndef PENNYWEIGHT_KECCAK_TURNED200_H
#define PENNYWEIGHT_KECCAK_TURNED200_H

#include "lanes/copies32.h"

/* clang-format off */
enum {
    T00 = 0, T10 = 0, T20 = 4, T30 = 0, T40 = 4,
    T01 = 4, T11 = 4, T21 = 4, T31 = 3, T41 = 0,
    T02 = 7, T12 = 6, T22 = 7, T32 = 0, T42 = 4,
    T03 = 1, T13 = 0, T23 = 4, T33 = 5, T43 = 0,
    T04 = 6, T14 = 4, T24 = 5, T34 = 0, T44 = 2,
};
/* clang-format on */

#define TURN(a, n) KECCAK_ROL(a, (unsigned)(n) % 8)

/* Makes the compiler load five lanes at a time: consecutive loads are faster. */
#if defined(__GNUC__)
#define LOADED(x0, x1, x2, x3, x4) __asm__("" : "+r"(x0), "+r"(x1), "+r"(x2), "+r"(x3), "+r"(x4))
#else
#define LOADED(x0, x1, x2, x3, x4) ((void)0)
#endif

/* Makes it finish a plane before the next: interleaving takes too many registers. */
#if defined(__GNUC__)
#define PLANE_ENDS()                                                                               \
    __asm__ volatile(""                                                                            \
                     : "+r"(d0), "+r"(d1), "+r"(d2), "+r"(d3), "+r"(d4),                           \
                       "+m"(*(uint32_t (*)[25])(a)), "+m"(*(uint32_t (*)[25])(e)))
#else
#define PLANE_ENDS() ((void)0)
#endif

/* Adds row y to the parities of the columns, column x rotated like lane (x, 0). */
#define ADD_ROW(y)                                                                                 \
    do {                                                                                           \
        uint32_t x0 = a[5 * (y)], x1 = a[5 * (y) + 1], x2 = a[5 * (y) + 2], x3 = a[5 * (y) + 3];   \
        uint32_t x4 = a[5 * (y) + 4];                                                              \
                                                                                                   \
        LOADED(x0, x1, x2, x3, x4);                                                                \
        c0 ^= TURN(x0, T00 - T0##y);                                                               \
        c1 ^= TURN(x1, T10 - T1##y);                                                               \
        c2 ^= TURN(x2, T20 - T2##y);                                                               \
        c3 ^= TURN(x3, T30 - T3##y);                                                               \
        c4 ^= TURN(x4, T40 - T4##y);                                                               \
        LOADED(c0, c1, c2, c3, c4);                                                                \
    } while (0)

/* D[x], x = w + 1, from the parities of the columns before and after it, rotated by Ux.
 */
#define SUM(w, v) (c##w ^ TURN(c##v, T##w##0 - T##v##0 + 1))
enum { U0 = T40, U1 = T00, U2 = T10, U3 = T20, U4 = T30 };

/* b0 ^ (~b1 & b2), rotated like b0, for lanes that are rotated by t0, t1 and t2. */
#define CHI(b0, t0, b1, t1, b2, t2) (b0 ^ TURN(b2 & ~TURN(b1, t2 - t1), t0 - t2))

/* Row y of the result: theta's sums, and chi. Pi moves (x + 3 y, x) to (x, y), for x = 0, ..., 4 at
 * (x0, 0), ..., (x4, 4). */
#define PLANE(y, x0, x1, x2, x3, x4)                                                               \
    do {                                                                                           \
        PLANE_ENDS();                                                                              \
        uint32_t b0 = a[x0], b1 = a[5 + (x1)], b2 = a[10 + (x2)], b3 = a[15 + (x3)];               \
        uint32_t b4 = a[20 + (x4)];                                                                \
                                                                                                   \
        LOADED(b0, b1, b2, b3, b4);                                                                \
        b0 ^= TURN(d##x0, T##x0##0 - U##x0);                                                       \
        b1 ^= TURN(d##x1, T##x1##1 - U##x1);                                                       \
        b2 ^= TURN(d##x2, T##x2##2 - U##x2);                                                       \
        b3 ^= TURN(d##x3, T##x3##3 - U##x3);                                                       \
        b4 ^= TURN(d##x4, T##x4##4 - U##x4);                                                       \
        LOADED(b0, b1, b2, b3, b4);                                                                \
        e[5 * (y)] = CHI(b0, T0##y, b1, T1##y, b2, T2##y);                                         \
        e[5 * (y) + 1] = CHI(b1, T1##y, b2, T2##y, b3, T3##y);                                     \
        e[5 * (y) + 2] = CHI(b2, T2##y, b3, T3##y, b4, T4##y);                                     \
        e[5 * (y) + 3] = CHI(b3, T3##y, b4, T4##y, b0, T0##y);                                     \
        e[5 * (y) + 4] = CHI(b4, T4##y, b0, T0##y, b1, T1##y);                                     \
    } while (0)

/* A whole round except iota, from the lanes `a` to the lanes `e`. */
ALWAYS_INLINE void keccak200_round(uint32_t *e, uint32_t *a)
{
    uint32_t c0 = a[0], c1 = a[1], c2 = a[2], c3 = a[3], c4 = a[4];

    LOADED(c0, c1, c2, c3, c4);
    ADD_ROW(1);
    ADD_ROW(2);
    ADD_ROW(3);
    ADD_ROW(4);
    uint32_t d0 = SUM(4, 1), d1 = SUM(0, 2), d2 = SUM(1, 3), d3 = SUM(2, 4), d4 = SUM(3, 0);
    PLANE(0, 0, 1, 2, 3, 4);
    PLANE(1, 3, 4, 0, 1, 2);
    PLANE(2, 1, 2, 3, 4, 0);
    PLANE(3, 4, 0, 1, 2, 3);
    PLANE(4, 2, 3, 4, 0, 1);
}

/* A statement for each lane. */
#define EACH_IN_ROW(f, y)                                                                          \
    do {                                                                                           \
        f(0, y);                                                                                   \
        f(1, y);                                                                                   \
        f(2, y);                                                                                   \
        f(3, y);                                                                                   \
        f(4, y);                                                                                   \
    } while (0)
#define EACH_LANE(f)                                                                               \
    do {                                                                                           \
        EACH_IN_ROW(f, 0);                                                                         \
        EACH_IN_ROW(f, 1);                                                                         \
        EACH_IN_ROW(f, 2);                                                                         \
        EACH_IN_ROW(f, 3);                                                                         \
        EACH_IN_ROW(f, 4);                                                                         \
    } while (0)

/* Converts a state's bytes to lanes. */
ALWAYS_INLINE void keccak200_load(uint32_t *a, const uint8_t *state)
{
#define LOAD(x, y) a[x + 5 * (y)] = TURN(state[x + 5 * (y)] * UINT32_C(0x01010101), T##x##y)
    EACH_LANE(LOAD);
#undef LOAD
}

/* Converts lanes to bytes. */
ALWAYS_INLINE void keccak200_store(uint8_t *state, const uint32_t *a)
{
#define STORE(x, y) state[x + 5 * (y)] = (uint8_t)(a[x + 5 * (y)] >> T##x##y)
    EACH_LANE(STORE);
#undef STORE
}

#undef TURN
#undef LOADED
#undef ADD_ROW
#undef SUM
#undef PLANE
#undef CHI
#undef PLANE_ENDS
#undef EACH_IN_ROW
#undef EACH_LANE

#endif
