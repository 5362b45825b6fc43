/*
 * The ChaCha20 block function, a double round at a time, for 32-bit cores.
 *
 * References: RFC 8439 (2018), sections 2.1 and 2.3; same names.
 *
 * Where the core can rotate an operand on its way into an addition or an exclusive or (ARMv7-M), a
 * word that the quarter round rotates is kept unrotated, and the rotation happens where the word is
 * read: a rotation by 7 is then pending in x4 to x7, by 8 in x12 to x15.
 *
 * In this order of the diagonals, compilers spill the fewest words.
 */
#include "chacha20.h"

#if !CHACHA20_NATIVE_BLOCK

#include "rotate.h"

#if defined(__ARM_ARCH_ISA_THUMB) && __ARM_ARCH_ISA_THUMB == 2

#define ROTATED_B(b) rotl32(b, 7)
#define ROTATED_D(d) rotl32(d, 8)
#define UNROTATED_B(b) rotr32(b, 7)
#define UNROTATED_D(d) rotr32(d, 8)

/* Prevents the compiler from interleaving two quarter rounds, for which the registers do not
 * suffice; at -Os it does not do so. */
#if defined(__OPTIMIZE_SIZE__)
#define IN_ORDER(a, b, c, d) (void)0
#else
#define IN_ORDER(a, b, c, d) __asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d))
#endif

#define QUARTER_ROUND(a, b, c, d)                                                                  \
    do {                                                                                           \
        a += ROTATED_B(b);                                                                         \
        d = a ^ ROTATED_D(d);                                                                      \
        c += rotl32(d, 16);                                                                        \
        b = c ^ ROTATED_B(b);                                                                      \
        a += rotl32(b, 12);                                                                        \
        d = a ^ rotl32(d, 16);                                                                     \
        c += ROTATED_D(d);                                                                         \
        b = c ^ rotl32(b, 12);                                                                     \
        IN_ORDER(a, b, c, d);                                                                      \
    } while (0)

#else

#define ROTATED_B(b) (b)
#define ROTATED_D(d) (d)
#define UNROTATED_B(b) (b)
#define UNROTATED_D(d) (d)

#define QUARTER_ROUND(a, b, c, d)                                                                  \
    do {                                                                                           \
        a += b;                                                                                    \
        d = rotl32(d ^ a, 16);                                                                     \
        c += d;                                                                                    \
        b = rotl32(b ^ c, 12);                                                                     \
        a += b;                                                                                    \
        d = rotl32(d ^ a, 8);                                                                      \
        c += d;                                                                                    \
        b = rotl32(b ^ c, 7);                                                                      \
    } while (0)

#endif

void chacha20_block(uint32_t block[16], const uint32_t state[16])
{
    uint32_t x0 = state[0], x1 = state[1], x2 = state[2], x3 = state[3];
    uint32_t x4 = UNROTATED_B(state[4]), x5 = UNROTATED_B(state[5]);
    uint32_t x6 = UNROTATED_B(state[6]), x7 = UNROTATED_B(state[7]);
    uint32_t x8 = state[8], x9 = state[9], x10 = state[10], x11 = state[11];
    uint32_t x12 = UNROTATED_D(state[12]), x13 = UNROTATED_D(state[13]);
    uint32_t x14 = UNROTATED_D(state[14]), x15 = UNROTATED_D(state[15]);

    for (unsigned i = 0; i < 10; i++) {
        QUARTER_ROUND(x0, x4, x8, x12);
        QUARTER_ROUND(x1, x5, x9, x13);
        QUARTER_ROUND(x2, x6, x10, x14);
        QUARTER_ROUND(x3, x7, x11, x15);
        QUARTER_ROUND(x2, x7, x8, x13);
        QUARTER_ROUND(x3, x4, x9, x14);
        QUARTER_ROUND(x0, x5, x10, x15);
        QUARTER_ROUND(x1, x6, x11, x12);
    }
    block[0] = x0 + state[0];
    block[1] = x1 + state[1];
    block[2] = x2 + state[2];
    block[3] = x3 + state[3];
    block[4] = ROTATED_B(x4) + state[4];
    block[5] = ROTATED_B(x5) + state[5];
    block[6] = ROTATED_B(x6) + state[6];
    block[7] = ROTATED_B(x7) + state[7];
    block[8] = x8 + state[8];
    block[9] = x9 + state[9];
    block[10] = x10 + state[10];
    block[11] = x11 + state[11];
    block[12] = ROTATED_D(x12) + state[12];
    block[13] = ROTATED_D(x13) + state[13];
    block[14] = ROTATED_D(x14) + state[14];
    block[15] = ROTATED_D(x15) + state[15];
}

#endif
