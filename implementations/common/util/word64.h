/*
 * A 64-bit word as eight bytes in registers, and its rotations.
 *
 * References: AVR Instruction Set Manual (DS40002198): ROL, ROR, BST, BLD.
 *
 * A rotation is by whole bytes, which is a matter of names, and by single bits. For the latter AVR
 * has instructions that pass the carry from byte to byte; compilers do not find them.
 */
#ifndef PENNYWEIGHT_UTIL_WORD64_H
#define PENNYWEIGHT_UTIL_WORD64_H

#include <stdint.h>

#include "in_order.h"
#include "inline.h"

/* Bits 8 i to 8 i + 7 are byte i. */
typedef struct {
    uint8_t b[8];
} word;

#define ALL_BYTES(x)                                                                               \
    "+r"((x)->b[0]), "+r"((x)->b[1]), "+r"((x)->b[2]), "+r"((x)->b[3]), "+r"((x)->b[4]),           \
        "+r"((x)->b[5]), "+r"((x)->b[6]), "+r"((x)->b[7])

/* x >>>= 1 */
ALWAYS_INLINE void rotate_right_by_1(word *x)
{
#if defined(__AVR__)
    __asm__("bst %0, 0\n\tror %7\n\tror %6\n\tror %5\n\tror %4\n\tror %3\n\tror %2\n\tror %1\n\t"
            "ror %0\n\tbld %7, 7"
            : ALL_BYTES(x));
#else
    const uint8_t low = x->b[0];

    for (uint8_t i = 0; i < 7; i++) {
        x->b[i] = (uint8_t)(x->b[i] >> 1 | x->b[i + 1] << 7);
    }
    x->b[7] = (uint8_t)(x->b[7] >> 1 | low << 7);
#endif
}

/* x <<<= 1 */
ALWAYS_INLINE void rotate_left_by_1(word *x)
{
#if defined(__AVR__)
    __asm__("lsl %0\n\trol %1\n\trol %2\n\trol %3\n\trol %4\n\trol %5\n\trol %6\n\trol %7\n\t"
            "adc %0, __zero_reg__"
            : ALL_BYTES(x));
#else
    const uint8_t high = x->b[7];

    for (uint8_t i = 7; i > 0; i--) {
        x->b[i] = (uint8_t)(x->b[i] << 1 | x->b[i - 1] >> 7);
    }
    x->b[0] = (uint8_t)(x->b[0] << 1 | high >> 7);
#endif
}

/* x >>>= n for a constant -4 <= n <= 4; negative amounts turn to the left. */
ALWAYS_INLINE void rotate(word *x, int8_t n)
{
    switch (n) {
    case 4:
        rotate_right_by_1(x); /* fall through */
    case 3:
        rotate_right_by_1(x); /* fall through */
    case 2:
        rotate_right_by_1(x); /* fall through */
    case 1:
        rotate_right_by_1(x);
        break;
    case -4:
        rotate_left_by_1(x); /* fall through */
    case -3:
        rotate_left_by_1(x); /* fall through */
    case -2:
        rotate_left_by_1(x); /* fall through */
    case -1:
        rotate_left_by_1(x);
        break;
    default:
        break;
    }
}

/* y ^= x >>> 8 n for a constant `n`. The empty assembly keeps the compiler from putting the sum
 * off, for which it would have to copy `x`. */
ALWAYS_INLINE void add_rotated(word *y, const word *x, uint8_t n)
{
    y->b[0] ^= x->b[n % 8];
    y->b[1] ^= x->b[(n + 1) % 8];
    y->b[2] ^= x->b[(n + 2) % 8];
    y->b[3] ^= x->b[(n + 3) % 8];
    y->b[4] ^= x->b[(n + 4) % 8];
    y->b[5] ^= x->b[(n + 5) % 8];
    y->b[6] ^= x->b[(n + 6) % 8];
    y->b[7] ^= x->b[(n + 7) % 8];
#if defined(__AVR__)
    __asm__("" : ALL_BYTES(y));
#endif
}

/* The word whose 8 bytes are at `p`. */
ALWAYS_INLINE word load_word(const uint8_t *p)
{
    return (word){{p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7]}};
}

/* Writes the 8 bytes of `x`. */
ALWAYS_INLINE void store_word(uint8_t *p, const word *x)
{
    p[0] = x->b[0];
    p[1] = x->b[1];
    p[2] = x->b[2];
    p[3] = x->b[3];
    p[4] = x->b[4];
    p[5] = x->b[5];
    p[6] = x->b[6];
    p[7] = x->b[7];
}

#endif
