/*
 * Rotations of 64-bit words by constants.
 *
 * Compilers do well with the usual pair of shifts on 32-bit cores. avr-gcc calls a loop of
 * single-bit shifts for each; there, a rotation becomes a move of whole bytes and at most four
 * rotations by one bit.
 *
 * References: AVR Instruction Set Manual (DS40002198): ROL, ROR, BST, BLD.
 */
#ifndef PENNYWEIGHT_UTIL_ROTATE64_H
#define PENNYWEIGHT_UTIL_ROTATE64_H

#include <stdint.h>

#if defined(__AVR__)

/* A word, its bytes and its halves, the least significant first. */
typedef union {
    uint64_t word;
    uint8_t byte[8];
    uint32_t half[2];
} rotate64_parts;

/* Rotates left by one bit. */
static inline __attribute__((always_inline)) void rotl64_by_1(rotate64_parts *x)
{
    __asm__("lsl %A0\n\trol %B0\n\trol %C0\n\trol %D0\n\t"
            "rol %A1\n\trol %B1\n\trol %C1\n\trol %D1\n\tadc %A0, __zero_reg__"
            : "+r"(x->half[0]), "+r"(x->half[1]));
}

/* Rotates right by one bit. */
static inline __attribute__((always_inline)) void rotr64_by_1(rotate64_parts *x)
{
    __asm__("bst %A0, 0\n\tror %D1\n\tror %C1\n\tror %B1\n\tror %A1\n\t"
            "ror %D0\n\tror %C0\n\tror %B0\n\tror %A0\n\tbld %D1, 7"
            : "+r"(x->half[0]), "+r"(x->half[1]));
}

/* `x` rotated left by `n` bits, a constant from 0 to 64. */
static inline __attribute__((always_inline)) uint64_t rotl64(uint64_t x, unsigned n)
{
    const unsigned bytes = (n + 3) / 8;
    rotate64_parts from, to;

    from.word = x;
    to.byte[bytes % 8] = from.byte[0];
    to.byte[(bytes + 1) % 8] = from.byte[1];
    to.byte[(bytes + 2) % 8] = from.byte[2];
    to.byte[(bytes + 3) % 8] = from.byte[3];
    to.byte[(bytes + 4) % 8] = from.byte[4];
    to.byte[(bytes + 5) % 8] = from.byte[5];
    to.byte[(bytes + 6) % 8] = from.byte[6];
    to.byte[(bytes + 7) % 8] = from.byte[7];
    switch (n % 8) {
    case 4:
        rotl64_by_1(&to); /* fall through */
    case 3:
        rotl64_by_1(&to); /* fall through */
    case 2:
        rotl64_by_1(&to); /* fall through */
    case 1:
        rotl64_by_1(&to);
        break;
    case 5:
        rotr64_by_1(&to); /* fall through */
    case 6:
        rotr64_by_1(&to); /* fall through */
    case 7:
        rotr64_by_1(&to);
        break;
    default:
        break;
    }
    return to.word;
}

#else

/* `x` rotated left by `n` bits, 1 <= n <= 63. */
static inline uint64_t rotl64(uint64_t x, unsigned n)
{
    return x << n | x >> (64 - n);
}

#endif

/* `x` rotated right by `n` bits, 1 <= n <= 63; a constant on AVR. */
static inline
#if defined(__AVR__)
    __attribute__((always_inline))
#endif
    uint64_t rotr64(uint64_t x, unsigned n)
{
    return rotl64(x, 64 - n);
}

#endif
