/*
 * Sparkle on words of 32 bits.
 *
 * References: C. Beierle et al., "Schwaemm and Esch" (v1.2, 2021), section 2.1; same names.
 *
 * Four branches stay in registers from the first step to the last; swapping them only renames
 * variables, and after four steps all are back in place. Of six or eight, the left ones do, if the
 * core has enough registers: each right one is read, passes its ARX-box and becomes a left one, and
 * the left one is stored in its position. Else all are in memory.
 */
#include "state.h"

#if !SPARKLE_NATIVE_PERMUTE

#include <limits.h>

#include "constants.h"
#include "flash.h"
#include "keep.h"
#include "linear.h"
#include "order.h"
#include "rotate.h"

/* Selects the branches in registers. Half of six or eight, with all else, take thirteen. Keeping
 * all of four pays off even with a few spills, but not on ARMv6-M at -Os, where most instructions
 * can use only eight registers. */
#if UINT_MAX == 0xffff ||                                                                          \
    (defined(__ARM_ARCH_ISA_THUMB) && __ARM_ARCH_ISA_THUMB == 1 && defined(__OPTIMIZE_SIZE__))
#define ALL_IN_REGISTERS 0
#else
#define ALL_IN_REGISTERS (SPARKLE_BRANCHES == 4)
#endif
#if UINT_MAX == 0xffff || defined(__XTENSA__) ||                                                   \
    (defined(__ARM_ARCH_ISA_THUMB) && __ARM_ARCH_ISA_THUMB == 1)
#define HALF_IN_REGISTERS 0
#else
#define HALF_IN_REGISTERS (SPARKLE_BRANCHES > 4)
#endif

/* The constants of the branches are those of the steps, which repeat after eight. */
#define CONSTANTS                                                                                  \
    SPARKLE_C0, SPARKLE_C1, SPARKLE_C2, SPARKLE_C3, SPARKLE_C4, SPARKLE_C5, SPARKLE_C6, SPARKLE_C7

/* A_c without its last lines. */
#define ALZETTE_BEGIN(x, y, c)                                                                     \
    do {                                                                                           \
        x += rotr32(y, 31);                                                                        \
        y ^= rotr32(x, 24);                                                                        \
        x ^= c;                                                                                    \
        x += rotr32(y, 17);                                                                        \
        y ^= rotr32(x, 17);                                                                        \
        x ^= c;                                                                                    \
        x += y;                                                                                    \
        y ^= rotr32(x, 31);                                                                        \
        x ^= c;                                                                                    \
        x += rotr32(y, 24);                                                                        \
    } while (0)

#if ALL_IN_REGISTERS || HALF_IN_REGISTERS

/* In flash, they would incur wait states. */
static uint32_t constants[12] IN_RAM = {
    CONSTANTS, SPARKLE_C0, SPARKLE_C1, SPARKLE_C2, SPARKLE_C3,
};

/* The ARX-box of branch i. KEEP_AFTER delays the load of its constant until it is needed. */
#define ARX_BOX(x, y, i)                                                                           \
    do {                                                                                           \
        uint32_t c = constant[i];                                                                  \
        KEEP_AFTER(c, x);                                                                          \
        ALZETTE_BEGIN(x, y, c);                                                                    \
        y ^= rotr32(x, 16);                                                                        \
        x ^= c;                                                                                    \
    } while (0)

/* l before its rotation, which MIX makes. KEEP enforces this, at no cost on ARM. */
#define ELL(t)                                                                                     \
    do {                                                                                           \
        t ^= t << 16;                                                                              \
        KEEP(t);                                                                                   \
    } while (0)

/* The right branch u, v becomes a left one: adds the left branch j and the sum of all left ones. */
#define MIX(u, v, j)                                                                               \
    do {                                                                                           \
        u ^= rotr32(ty, 16);                                                                       \
        v ^= rotr32(tx, 16);                                                                       \
        KEEP(tx);                                                                                  \
        KEEP(ty);                                                                                  \
        u ^= x##j;                                                                                 \
        v ^= y##j;                                                                                 \
    } while (0)

/* Reads and writes branch j, which is at `to`. */
#define READ(j, to) uint32_t x##j = little_endian32((to)[0]), y##j = little_endian32((to)[1])
#define WRITE(j, to) ((to)[0] = little_endian32(x##j), (to)[1] = little_endian32(y##j))

#endif

#if ALL_IN_REGISTERS

/* Step i. The left branches are a and b, the right ones c and d; afterwards d and c, a and b. KEEP
 * makes the compiler use one step counter, not one per use. */
#define STEP(a, b, c, d)                                                                           \
    do {                                                                                           \
        uint32_t tx, ty;                                                                           \
        y##a ^= constant[i];                                                                       \
        y##b ^= i++;                                                                               \
        KEEP(i);                                                                                   \
        ARX_BOX(x##a, y##a, 0);                                                                    \
        ARX_BOX(x##b, y##b, 1);                                                                    \
        ARX_BOX(x##c, y##c, 2);                                                                    \
        ARX_BOX(x##d, y##d, 3);                                                                    \
        tx = x##a ^ x##b;                                                                          \
        ty = y##a ^ y##b;                                                                          \
        ELL(tx);                                                                                   \
        ELL(ty);                                                                                   \
        MIX(x##c, y##c, a);                                                                        \
        MIX(x##d, y##d, b);                                                                        \
    } while (0)

/* Stores the branches, which are in this order, in their positions. */
#define WRITE_ALL(a, b, c, d) (WRITE(a, s), WRITE(b, s + 2), WRITE(c, s + 4), WRITE(d, s + 6))

/* Where it ends. */
_Static_assert(SPARKLE_BIG % 4 == 2 && SPARKLE_SLIM % 4 == 3, "numbers of steps");

/* `steps` is one of those two. */
void sparkle_permute(sparkle_state *state, unsigned steps)
{
    uint32_t *const s = state->words;
    const uint32_t *constant = constants;
    unsigned i = 0;
    READ(0, s);
    READ(1, s + 2);
    READ(2, s + 4);
    READ(3, s + 6);

    KEEP_POINTER(constant);
    for (;;) {
        STEP(0, 1, 2, 3);
        STEP(3, 2, 0, 1);
        if (i == steps) {
            WRITE_ALL(1, 0, 3, 2);
            return;
        }
        STEP(1, 0, 3, 2);
        if (i == steps) {
            WRITE_ALL(2, 3, 1, 0);
            return;
        }
        STEP(2, 3, 1, 0);
    }
}

#elif HALF_IN_REGISTERS

/* The ARX-box of right branch j, which becomes the left one before, to_x and to_y; left branch j
 * becomes a right one. */
#define RIGHT(j, to_x, to_y)                                                                       \
    do {                                                                                           \
        uint32_t u = little_endian32(right[2 * (j)]), v = little_endian32(right[2 * (j) + 1]);     \
        ARX_BOX(u, v, SPARKLE_BRANCHES / 2 + (j));                                                 \
        MIX(u, v, j);                                                                              \
        WRITE(j, right + 2 * (j));                                                                 \
        to_x = u;                                                                                  \
        to_y = v;                                                                                  \
        KEEP_POINTER(right);                                                                       \
    } while (0)

void sparkle_permute(sparkle_state *state, unsigned steps)
{
    uint32_t *const left = state->words, *right = left + SPARKLE_BRANCHES;
    const uint32_t *constant = constants;
    READ(0, left);
    READ(1, left + 2);
    READ(2, left + 4);
#if SPARKLE_BRANCHES > 6
    READ(3, left + 6);
#endif

    KEEP_POINTER(constant);
    for (unsigned i = 0; i < steps; i++) {
        uint32_t tx, ty, last_x, last_y;

        y0 ^= constant[i];
        y1 ^= i;
        KEEP(i);
        ARX_BOX(x0, y0, 0);
        ARX_BOX(x1, y1, 1);
        tx = x0 ^ x1;
        ty = y0 ^ y1;
        ARX_BOX(x2, y2, 2);
        tx ^= x2;
        ty ^= y2;
#if SPARKLE_BRANCHES > 6
        ARX_BOX(x3, y3, 3);
        tx ^= x3;
        ty ^= y3;
#endif
        ELL(tx);
        ELL(ty);
        RIGHT(0, last_x, last_y);
        RIGHT(1, x0, y0);
        RIGHT(2, x1, y1);
#if SPARKLE_BRANCHES > 6
        RIGHT(3, x2, y2);
        x3 = last_x;
        y3 = last_y;
#else
        x2 = last_x;
        y2 = last_y;
#endif
    }
    WRITE(0, left);
    WRITE(1, left + 2);
    WRITE(2, left + 4);
#if SPARKLE_BRANCHES > 6
    WRITE(3, left + 6);
#endif
}

#else

static const uint32_t constants[8] = {CONSTANTS};

/* The ARX-box of branch i. Its last rotation is two shifts, which need no register for the amount.
 * KEEP makes the compiler store its words: there are not enough registers for all. */
#define BRANCH(i)                                                                                  \
    do {                                                                                           \
        uint32_t x = little_endian32(s[2 * (i)]), y = little_endian32(s[2 * (i) + 1]);             \
        uint32_t c = SPARKLE_C##i;                                                                 \
        KEEP_AFTER(c, x);                                                                          \
        ALZETTE_BEGIN(x, y, c);                                                                    \
        y ^= x << 16;                                                                              \
        KEEP(y);                                                                                   \
        y ^= x >> 16;                                                                              \
        x ^= c;                                                                                    \
        s[2 * (i)] = little_endian32(x);                                                           \
        s[2 * (i) + 1] = little_endian32(y);                                                       \
        KEEP_POINTER(s);                                                                           \
    } while (0)

/* The linear layer loads and stores each word once per change. */
void sparkle_permute(sparkle_state *state, unsigned steps)
{
    uint32_t *s = state->words;

    for (unsigned i = 0; i < steps; i++) {
        s[1] ^= little_endian32(constants[i % 8]);
        s[3] ^= little_endian32(i);
        BRANCH(0);
        BRANCH(1);
        BRANCH(2);
        BRANCH(3);
#if SPARKLE_BRANCHES > 4
        BRANCH(4);
        BRANCH(5);
#endif
#if SPARKLE_BRANCHES > 6
        BRANCH(6);
        BRANCH(7);
#endif
        s = linear_layer(s);
    }
}

#endif

#endif
