/*
 * A 64-bit word as eight bytes in registers, its rotations and its sums.
 *
 * References: AVR Instruction Set Manual (DS40002198): ADC, ADD, BLD, BST, LDD, LPM, ROL, ROR.
 *
 * A rotation is by whole bytes, which only renames registers, and by single bits. For the latter,
 * and for sums, AVR has instructions that pass the carry from byte to byte; compilers do not use
 * them. Constant arguments can be their operands only if the compiler optimises.
 */
#ifndef PENNYWEIGHT_UTIL_WORD64_H
#define PENNYWEIGHT_UTIL_WORD64_H

#include <stdint.h>

#include "bytes.h"
#include "flash.h"
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
#if defined(__AVR__) && !defined(__clang__)
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
#if defined(__AVR__) && !defined(__clang__)
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

/* x >>>= n for a constant -4 <= n <= 4; negative amounts rotate left. */
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

/* y ^= x >>> 8 n for a constant `n`. The empty assembly prevents the compiler from deferring the
 * sum, which would require a copy of `x`. */
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
#if defined(__AVR__) && !defined(__clang__)
    __asm__("" : ALL_BYTES(y));
#endif
}

/* y >>> 8 n for a constant `n`. */
ALWAYS_INLINE word rotated_bytes(const word *y, uint8_t n)
{
    return (word){{y->b[n % 8], y->b[(n + 1) % 8], y->b[(n + 2) % 8], y->b[(n + 3) % 8],
                   y->b[(n + 4) % 8], y->b[(n + 5) % 8], y->b[(n + 6) % 8], y->b[(n + 7) % 8]}};
}

#define ALL_BYTES_EARLY(x)                                                                         \
    "+&r"((x)->b[0]), "+&r"((x)->b[1]), "+&r"((x)->b[2]), "+&r"((x)->b[3]), "+&r"((x)->b[4]),      \
        "+&r"((x)->b[5]), "+&r"((x)->b[6]), "+&r"((x)->b[7])

/* x += y modulo 2^64, where y is the 8 bytes at p + n, for a constant n <= 56. */
ALWAYS_INLINE void sum_bytes(word *x, const uint8_t *p, uint8_t n)
{
#if defined(__AVR__) && !defined(__clang__) && defined(__OPTIMIZE__)
    __asm__("ldd __tmp_reg__, %a8+%9+0\n\tadd %0, __tmp_reg__\n\t"
            "ldd __tmp_reg__, %a8+%9+1\n\tadc %1, __tmp_reg__\n\t"
            "ldd __tmp_reg__, %a8+%9+2\n\tadc %2, __tmp_reg__\n\t"
            "ldd __tmp_reg__, %a8+%9+3\n\tadc %3, __tmp_reg__\n\t"
            "ldd __tmp_reg__, %a8+%9+4\n\tadc %4, __tmp_reg__\n\t"
            "ldd __tmp_reg__, %a8+%9+5\n\tadc %5, __tmp_reg__\n\t"
            "ldd __tmp_reg__, %a8+%9+6\n\tadc %6, __tmp_reg__\n\t"
            "ldd __tmp_reg__, %a8+%9+7\n\tadc %7, __tmp_reg__"
            : ALL_BYTES_EARLY(x)
            : "b"(p), "I"(n)
            : "memory");
#else
    uint_fast16_t sum = 0;

    for (uint8_t i = 0; i < 8; i++) {
        sum = (uint_fast16_t)(sum + x->b[i] + p[n + i]);
        x->b[i] = (uint8_t)sum;
        sum >>= 8;
    }
#endif
}

/* x += y modulo 2^64 */
ALWAYS_INLINE void sum_word(word *x, const word *y)
{
#if defined(__AVR__) && !defined(__clang__)
    __asm__("add %0, %8\n\tadc %1, %9\n\tadc %2, %10\n\tadc %3, %11\n\t"
            "adc %4, %12\n\tadc %5, %13\n\tadc %6, %14\n\tadc %7, %15"
            : ALL_BYTES_EARLY(x)
            : "r"(y->b[0]), "r"(y->b[1]), "r"(y->b[2]), "r"(y->b[3]), "r"(y->b[4]), "r"(y->b[5]),
              "r"(y->b[6]), "r"(y->b[7]));
#else
    sum_bytes(x, y->b, 0);
#endif
}

/* x += y modulo 2^64, where y is at `*next` in a table declared IN_FLASH; advances `*next`. */
ALWAYS_INLINE void sum_flash(word *x, const uint64_t **next)
{
    const uint64_t *p = *next;

#if defined(__AVR__) && !defined(__clang__)
    __asm__("lpm __tmp_reg__, Z+\n\tadd %0, __tmp_reg__\n\t"
            "lpm __tmp_reg__, Z+\n\tadc %1, __tmp_reg__\n\t"
            "lpm __tmp_reg__, Z+\n\tadc %2, __tmp_reg__\n\t"
            "lpm __tmp_reg__, Z+\n\tadc %3, __tmp_reg__\n\t"
            "lpm __tmp_reg__, Z+\n\tadc %4, __tmp_reg__\n\t"
            "lpm __tmp_reg__, Z+\n\tadc %5, __tmp_reg__\n\t"
            "lpm __tmp_reg__, Z+\n\tadc %6, __tmp_reg__\n\t"
            "lpm __tmp_reg__, Z+\n\tadc %7, __tmp_reg__"
            : ALL_BYTES_EARLY(x), "+&z"(p));
#else
    uint8_t bytes[8];

    store64_le(bytes, flash_u64(p++));
    sum_bytes(x, bytes, 0);
#endif
    *next = p;
}

/* The word of the 8 bytes at `p`. */
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

/* The word of the 8 bytes at p + n, for a constant n <= 56. On AVR, `p` is in Y or Z: by default
 * the compiler would also use X, which has no displacements. */
ALWAYS_INLINE word load_word_at(const uint8_t *p, uint8_t n)
{
#if defined(__AVR__) && !defined(__clang__) && defined(__OPTIMIZE__)
    word x;

    __asm__("ldd %0, %a8+%9+0\n\tldd %1, %a8+%9+1\n\tldd %2, %a8+%9+2\n\tldd %3, %a8+%9+3\n\tldd "
            "%4, %a8+%9+4\n\tldd %5, %a8+%9+5\n\tldd %6, %a8+%9+6\n\tldd %7, %a8+%9+7"
            : "=&r"(x.b[0]), "=&r"(x.b[1]), "=&r"(x.b[2]), "=&r"(x.b[3]), "=&r"(x.b[4]),
              "=&r"(x.b[5]), "=&r"(x.b[6]), "=&r"(x.b[7])
            : "b"(p), "I"(n)
            : "memory");
    return x;
#else
    return load_word(p + n);
#endif
}

/* Writes the 8 bytes of `x` to p + n, for a constant n <= 56. */
ALWAYS_INLINE void store_word_at(uint8_t *p, uint8_t n, const word *x)
{
#if defined(__AVR__) && !defined(__clang__) && defined(__OPTIMIZE__)
    __asm__ volatile(
        "std %a8+%9+0, %0\n\tstd %a8+%9+1, %1\n\tstd %a8+%9+2, %2\n\tstd %a8+%9+3, %3\n\tstd "
        "%a8+%9+4, %4\n\tstd %a8+%9+5, %5\n\tstd %a8+%9+6, %6\n\tstd %a8+%9+7, %7"
        :
        : "r"(x->b[0]), "r"(x->b[1]), "r"(x->b[2]), "r"(x->b[3]), "r"(x->b[4]), "r"(x->b[5]),
          "r"(x->b[6]), "r"(x->b[7]), "b"(p), "I"(n)
        : "memory");
#else
    store_word(p + n, x);
#endif
}

#endif
