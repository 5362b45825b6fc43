/*
 * Xoodoo[12] on words of 32 bits.
 *
 * References: J. Daemen et al., "Xoodyak, a lightweight cryptographic scheme" (v2, 2021), the
 * permutation Xoodoo; same names.
 *
 * No lane moves: a shift of a plane by whole lanes only changes the position at which a lane is
 * read. After four rounds all lanes are back in place. A state that fits in the registers stays
 * there from the first round to the last; otherwise it is in memory.
 */
#include "xoodoo.h"

#if !XOODOO_NATIVE_PERMUTE

#include "constants.h"
#include "inline.h"
#include "keep.h"
#include "low.h"
#include "rotate.h"

static const uint16_t constants[XOODOO_ROUNDS] = {XOODOO_CONSTANTS};

/* Whether the core has registers for the twelve lanes and two more. */
#if (defined(__ARM_ARCH_ISA_THUMB) && __ARM_ARCH_ISA_THUMB == 2) || defined(__riscv) ||            \
    defined(__mips__)

/* Keeps the compiler from working on two columns at once, for which there are not enough registers.
 */
#if defined(__GNUC__)
#define IN_ORDER(a, b, c) __asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c))
#else
#define IN_ORDER(a, b, c) ((void)0)
#endif

#if defined(__ARM_ARCH_ISA_THUMB) && __ARM_ARCH_ISA_THUMB == 2

/* Rotating a second operand is free here, so no lane of planes 1 and 2 is rotated: each is
 * stored with a pending rotation to the right. In round `r` of four, those of planes 1 and 2
 * are */
#define TURN_B(r) (31 * (r))
#define TURN_C(r) (13 * (r))

/* `x` rotated right by `n` bits, a constant from -93 to 124. */
#define TURNED(x, n) (((n) & 31) == 0 ? (x) : rotr32(x, (unsigned)(n) & 31))

/* theta, for the column a, b, c: adds the sum from the parity `p` of the column before; `p` becomes
 * its own parity. */
#define THETA(a, b, c, r)                                                                          \
    do {                                                                                           \
        const uint32_t x = p ^ rotr32(p, 23);                                                      \
        p = (a) ^ TURNED(b, TURN_B(r));                                                            \
        KEEP(p);                                                                                   \
        p ^= TURNED(c, TURN_C(r));                                                                 \
        (a) ^= rotr32(x, 27);                                                                      \
        (b) ^= TURNED(x, 27 - TURN_B(r));                                                          \
        (c) ^= TURNED(x, 27 - TURN_C(r));                                                          \
        IN_ORDER(a, b, c);                                                                         \
    } while (0)

/* The rotations of rho, and chi between, for a column. The bits added to `a` are zero in `b`, so
 * they do not affect the next line. */
#define CHI(a, b, c, r)                                                                            \
    do {                                                                                           \
        const uint32_t u = (a) & ~TURNED(c, TURN_C(r) + 21);                                       \
        (a) ^= TURNED((c) & ~TURNED(b, TURN_B(r) - TURN_C(r) - 21), TURN_C(r) + 21);               \
        (c) ^= TURNED((b) & ~TURNED(a, -TURN_B(r)), TURN_B(r) - TURN_C(r) - 21);                   \
        (b) ^= TURNED(u, -TURN_B(r));                                                              \
        IN_ORDER(a, b, c);                                                                         \
    } while (0)

/* Applies the pending rotations of four rounds to a plane's lanes. */
#define CATCH_UP(x0, x1, x2, x3, n)                                                                \
    do {                                                                                           \
        x0 = TURNED(x0, n);                                                                        \
        x1 = TURNED(x1, n);                                                                        \
        x2 = TURNED(x2, n);                                                                        \
        x3 = TURNED(x3, n);                                                                        \
    } while (0)

#else

#define TURNED(x, n) (x)
#define TURN_B(r) 0
#define TURN_C(r) 0
#define CATCH_UP(x0, x1, x2, x3, n)

/* theta: E of a column from the parity `p` of the one before. */
ALWAYS_INLINE uint32_t effect(uint32_t p)
{
    return rotr32(p, 27) ^ rotr32(p, 18);
}

/* theta, for the column a, b, c: adds the sum from the parity `p` of the column before; `p` becomes
 * its own parity. */
#define THETA(a, b, c, r)                                                                          \
    do {                                                                                           \
        const uint32_t e = effect(p);                                                              \
        p = (a) ^ (b) ^ (c);                                                                       \
        (a) ^= e;                                                                                  \
        (b) ^= e;                                                                                  \
        (c) ^= e;                                                                                  \
        IN_ORDER(a, b, c);                                                                         \
    } while (0)

/* The rotations of rho, and chi between, for a column. */
#define CHI(a, b, c, r)                                                                            \
    do {                                                                                           \
        uint32_t t = rotr32(c, 21), u;                                                             \
        KEEP(t);                                                                                   \
        u = (a) & ~t;                                                                              \
        (c) = rotr32(t ^ ((b) & ~(a)), 24);                                                        \
        (a) ^= t & ~(b);                                                                           \
        (b) = rotr32((b) ^ u, 31);                                                                 \
        IN_ORDER(a, b, c);                                                                         \
    } while (0)

#endif

/* Round `r` of four, on planes a, b and c, with lanes in their current positions. */
#define ROUND(a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3, r, constant)                         \
    do {                                                                                           \
        uint32_t p = a3 ^ TURNED(b3, TURN_B(r));                                                   \
        KEEP(p);                                                                                   \
        p ^= TURNED(c3, TURN_C(r));                                                                \
        THETA(a0, b0, c0, r);                                                                      \
        THETA(a1, b1, c1, r);                                                                      \
        THETA(a2, b2, c2, r);                                                                      \
        THETA(a3, b3, c3, r);                                                                      \
        a0 ^= constant;                                                                            \
        CHI(a0, b3, c0, r);                                                                        \
        CHI(a1, b0, c1, r);                                                                        \
        CHI(a2, b1, c2, r);                                                                        \
        CHI(a3, b2, c3, r);                                                                        \
    } while (0)

void xoodoo_permute(xoodoo_state *state)
{
    uint32_t *s = state->lanes;
    uint32_t a0 = s[0], a1 = s[1], a2 = s[2], a3 = s[3];
    uint32_t b0 = s[4], b1 = s[5], b2 = s[6], b3 = s[7];
    uint32_t c0 = s[8], c1 = s[9], c2 = s[10], c3 = s[11];

    for (const uint16_t *c = constants; c != constants + XOODOO_ROUNDS; c += 4) {
        ROUND(a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3, 0, little_endian32(c[0]));
        ROUND(a0, a1, a2, a3, b3, b0, b1, b2, c2, c3, c0, c1, 1, little_endian32(c[1]));
        ROUND(a0, a1, a2, a3, b2, b3, b0, b1, c0, c1, c2, c3, 2, little_endian32(c[2]));
        ROUND(a0, a1, a2, a3, b1, b2, b3, b0, c2, c3, c0, c1, 3, little_endian32(c[3]));
        CATCH_UP(b0, b1, b2, b3, TURN_B(4));
        CATCH_UP(c0, c1, c2, c3, TURN_C(4));
    }
    s[0] = a0;
    s[1] = a1;
    s[2] = a2;
    s[3] = a3;
    s[4] = b0;
    s[5] = b1;
    s[6] = b2;
    s[7] = b3;
    s[8] = c0;
    s[9] = c1;
    s[10] = c2;
    s[11] = c3;
}

#else

/* Lane x of planes 0, 1 and 2, `r` rounds after all were in place. */
#define A0(x) a[(x) & 3]
#define A1(x, r) a[4 + (((x) - (r)) & 3)]
#define A2(x, r) a[8 + (((x) - 2 * (r)) & 3)]

/* theta, for a column: E of the next. */
#define EFFECT(e, x, r)                                                                            \
    do {                                                                                           \
        uint32_t p = A0(x) ^ A1(x, r);                                                             \
        KEEP_LOW(p);                                                                               \
        p ^= A2(x, r);                                                                             \
        e = rotr32(p, 23);                                                                         \
        e ^= p;                                                                                    \
        e = rotr32(e, 27);                                                                         \
        KEEP_LOW(e);                                                                               \
    } while (0)

/* The rest of a round, for a column. `e` is E of column x, `e1` that of the column before, the
 * source of plane 1's lane. The bits added to `a0` are zero in `a1`, so they do not affect
 * `a2`. */
#define COLUMN(x, r, e, e1, constant)                                                              \
    do {                                                                                           \
        uint32_t a0, a1, a2, b;                                                                    \
        a1 = A1(x - 1, r) ^ e1;                                                                    \
        KEEP_LOW(a1);                                                                              \
        a2 = A2(x, r) ^ e;                                                                         \
        a2 = rotr32(a2, 21);                                                                       \
        KEEP_LOW(a2);                                                                              \
        a0 = A0(x) ^ e;                                                                            \
        a0 ^= constant;                                                                            \
        KEEP_LOW(a0);                                                                              \
        b = a0 & ~a2;                                                                              \
        KEEP_LOW(b);                                                                               \
        a0 ^= a2 & ~a1;                                                                            \
        KEEP_LOW(a0);                                                                              \
        A0(x) = a0;                                                                                \
        KEEP_POINTER(a);                                                                           \
        a2 ^= a1 & ~a0;                                                                            \
        KEEP_LOW(a2);                                                                              \
        A2(x, r) = rotr32(a2, 24);                                                                 \
        KEEP_POINTER(a);                                                                           \
        a1 ^= b;                                                                                   \
        A1(x - 1, r) = rotr32(a1, 31);                                                             \
        KEEP_POINTER(a);                                                                           \
    } while (0)

/* Round `r` of four. */
#define ROUND(r, constant)                                                                         \
    do {                                                                                           \
        EFFECT(e3, 2, r);                                                                          \
        EFFECT(e0, 3, r);                                                                          \
        EFFECT(e1, 0, r);                                                                          \
        KEEP_POINTER(a);                                                                           \
        COLUMN(0, r, e0, e3, constant);                                                            \
        EFFECT(e2, 1, r);                                                                          \
        KEEP_POINTER(a);                                                                           \
        COLUMN(1, r, e1, e0, 0);                                                                   \
        COLUMN(2, r, e2, e1, 0);                                                                   \
        COLUMN(3, r, e3, e2, 0);                                                                   \
    } while (0)

void xoodoo_permute(xoodoo_state *state)
{
    uint32_t *a = state->lanes;
    uint32_t e0, e1, e2, e3;

    for (const uint16_t *c = constants; c != constants + XOODOO_ROUNDS; c += 4) {
        ROUND(0, little_endian32(c[0]));
        ROUND(1, little_endian32(c[1]));
        ROUND(2, little_endian32(c[2]));
        ROUND(3, little_endian32(c[3]));
    }
}

#endif

#endif
