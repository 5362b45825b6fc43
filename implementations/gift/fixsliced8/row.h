/*
 * Rows of GIFT-128 as four bytes in registers, and bit moves within them.
 *
 * References: A. Adomnicai, Z. Najm, T. Peyrin, "Fixslicing: A New GIFT Representation" (TCHES
 * 2020); AVR Instruction Set Manual (DS40002198): BST, BLD, ROL, ROR, SWAP.
 */
#ifndef PENNYWEIGHT_GIFT_ROW_H
#define PENNYWEIGHT_GIFT_ROW_H

#include <stdint.h>

#include "flash.h"
#include "inline.h"

/* The most significant byte first. */
typedef struct {
    uint8_t b[4];
} row;

/* The row of the 4 bytes at `p`. */
ALWAYS_INLINE void load_row(row *x, const uint8_t *p)
{
    x->b[0] = p[0];
    x->b[1] = p[1];
    x->b[2] = p[2];
    x->b[3] = p[3];
}

/* Writes a row as 4 bytes to `p`. */
ALWAYS_INLINE void store_row(uint8_t *p, const row *x)
{
    p[0] = x->b[0];
    p[1] = x->b[1];
    p[2] = x->b[2];
    p[3] = x->b[3];
}

/* Both groups of four bits rotated right by one. */
ALWAYS_INLINE uint8_t nibbles_right_1(uint8_t x)
{
#if defined(__AVR__) && !defined(__clang__)
    __asm__("bst %0, 0\n\tmov __tmp_reg__, %0\n\tswap __tmp_reg__\n\tlsr __tmp_reg__\n\t"
            "ror %0\n\tbld %0, 3"
            : "+r"(x));
    return x;
#else
    return (uint8_t)((x >> 1 & 0x77) | (x << 3 & 0x88));
#endif
}

/* Both groups of four bits rotated left by one. */
ALWAYS_INLINE uint8_t nibbles_left_1(uint8_t x)
{
#if defined(__AVR__) && !defined(__clang__)
    __asm__("bst %0, 7\n\tmov __tmp_reg__, %0\n\tswap __tmp_reg__\n\tlsl __tmp_reg__\n\t"
            "rol %0\n\tbld %0, 4"
            : "+r"(x));
    return x;
#else
    return (uint8_t)((x << 1 & 0xee) | (x >> 3 & 0x11));
#endif
}

/* Both groups of four bits rotated by two. */
ALWAYS_INLINE uint8_t nibbles_2(uint8_t x)
{
    return (uint8_t)((x >> 2 & 0x33) | (x & 0x33) << 2);
}

/* All pairs of bits exchanged. */
ALWAYS_INLINE uint8_t pairs(uint8_t x)
{
    return (uint8_t)((x >> 1 & 0x55) | (x & 0x55) << 1);
}

/* The groups of four bits exchanged. */
ALWAYS_INLINE uint8_t swap(uint8_t x)
{
    return (uint8_t)(x << 4 | x >> 4);
}

/* A byte rotated left by two. */
ALWAYS_INLINE uint8_t left_2(uint8_t x)
{
#if defined(__AVR__) && !defined(__clang__)
    __asm__("lsl %0\n\tadc %0, __zero_reg__\n\tlsl %0\n\tadc %0, __zero_reg__" : "+r"(x));
    return x;
#else
    return (uint8_t)(x << 2 | x >> 6);
#endif
}

/* Exchanges the bits of `x` and `y` in `mask`. */
ALWAYS_INLINE void exchange(uint8_t *x, uint8_t *y, uint8_t mask)
{
    const uint8_t difference = (uint8_t)((*x ^ *y) & mask);

    *x ^= difference;
    *y ^= difference;
}

/* The 16 bits of `high` and `low` rotated right by four. */
ALWAYS_INLINE void half_right_4(uint8_t *high, uint8_t *low)
{
    *high = swap(*high);
    *low = swap(*low);
    exchange(high, low, 0xf0);
}

/* The 16 bits of `high` and `low` rotated left by four. */
ALWAYS_INLINE void half_left_4(uint8_t *high, uint8_t *low)
{
    *high = swap(*high);
    *low = swap(*low);
    exchange(high, low, 0x0f);
}

/* x += the four bytes at `p`; returns where they end. Compilers for AVR do not use post-increment
 * loads when Y and Z have other uses. */
ALWAYS_INLINE const uint8_t *add_row(row *x, const uint8_t *p)
{
#if defined(__AVR__) && !defined(__clang__)
    __asm__("ld __tmp_reg__, X+\n\teor %0, __tmp_reg__\n\t"
            "ld __tmp_reg__, X+\n\teor %1, __tmp_reg__\n\t"
            "ld __tmp_reg__, X+\n\teor %2, __tmp_reg__\n\t"
            "ld __tmp_reg__, X+\n\teor %3, __tmp_reg__"
            : "+r"(x->b[0]), "+r"(x->b[1]), "+r"(x->b[2]), "+r"(x->b[3]), "+x"(p)
            :
            : "memory");
    return p;
#else
    x->b[0] ^= p[0];
    x->b[1] ^= p[1];
    x->b[2] ^= p[2];
    x->b[3] ^= p[3];
    return p + 4;
#endif
}

/* x += the byte at `p` in a table IN_FLASH; returns where it ends. */
ALWAYS_INLINE const uint8_t *add_flash(uint8_t *x, const uint8_t *p)
{
#if defined(__AVR__) && !defined(__clang__)
    __asm__("lpm __tmp_reg__, Z+\n\teor %0, __tmp_reg__" : "+r"(*x), "+z"(p));
    return p;
#else
    *x ^= flash_u8(p);
    return p + 1;
#endif
}

#endif
