/*
 * Rotations of 32-bit words by constants.
 *
 * Compilers turn the usual pair of shifts into one instruction where the core has one. AVR has none
 * that shifts by more than one bit, and avr-gcc then emits two loops of single-bit shifts (more
 * than 200 cycles for a rotation by 7). There, a rotation moves whole bytes and then rotates at
 * most four times by one bit, in 5 (left) or 6 (right) cycles each. Clang does not accept operands
 * of four bytes in inline assembly for AVR, so it gets the rotations by one bit in C. MSP430 also
 * shifts by one bit only, and swaps bytes: gcc emits two loops of single-bit shifts. There, a
 * rotation becomes an exchange of the halves, for some distances one of bytes, and at most four
 * rotations by one bit, of 3 cycles each.
 *
 * References: AVR Instruction Set Manual (DS40002198): ROL, ROR, BST, BLD; MSP430x1xx Family User's
 * Guide (SLAU049), section 3.4: ADC, BIT, RLA, RLC, RRC, SWPB.
 */
#ifndef PENNYWEIGHT_UTIL_ROTATE_H
#define PENNYWEIGHT_UTIL_ROTATE_H

#include <stdint.h>

#if defined(__AVR__) && !defined(__clang__)

#if defined(__clang__)

/* `x` rotated left by one bit. */
static inline __attribute__((always_inline)) uint32_t rotl32_by_1(uint32_t x)
{
    return x << 1 | x >> 31;
}

/* `x` rotated right by one bit. */
static inline __attribute__((always_inline)) uint32_t rotr32_by_1(uint32_t x)
{
    return x >> 1 | x << 31;
}

#else

/* `x` rotated left by one bit. */
static inline __attribute__((always_inline)) uint32_t rotl32_by_1(uint32_t x)
{
    __asm__("lsl %A0\n\trol %B0\n\trol %C0\n\trol %D0\n\tadc %A0, __zero_reg__" : "+r"(x));
    return x;
}

/* `x` rotated right by one bit. */
static inline __attribute__((always_inline)) uint32_t rotr32_by_1(uint32_t x)
{
    __asm__("bst %A0, 0\n\tror %D0\n\tror %C0\n\tror %B0\n\tror %A0\n\tbld %D0, 7" : "+r"(x));
    return x;
}

#endif

/* `x` rotated left by `n` bits, a constant from 0 to 32. */
static inline __attribute__((always_inline)) uint32_t rotl32(uint32_t x, unsigned n)
{
    switch ((n + 3) / 8 % 4) {
    case 1:
        x = x << 8 | x >> 24;
        break;
    case 2:
        x = x << 16 | x >> 16;
        break;
    case 3:
        x = x << 24 | x >> 8;
        break;
    default:
        break;
    }
    switch (n % 8) {
    case 4:
        x = rotl32_by_1(x); /* fall through */
    case 3:
        x = rotl32_by_1(x); /* fall through */
    case 2:
        x = rotl32_by_1(x); /* fall through */
    case 1:
        x = rotl32_by_1(x);
        break;
    case 5:
        x = rotr32_by_1(x); /* fall through */
    case 6:
        x = rotr32_by_1(x); /* fall through */
    case 7:
        x = rotr32_by_1(x);
        break;
    default:
        break;
    }
    return x;
}

#elif defined(__MSP430__) && defined(__GNUC__) && !defined(__clang__)

/* A word, and its halves, the least significant first. */
typedef union {
    uint32_t word;
    uint16_t half[2];
} rotate32_parts;

/* Rotates left by one bit. R2 is the status register. */
static inline __attribute__((always_inline)) void rotl32_by_1(rotate32_parts *x)
{
    __asm__("rla %0\n\trlc %1\n\tadc %0" : "+r"(x->half[0]), "+r"(x->half[1]) : : "R2");
}

/* Rotates right by one bit. */
static inline __attribute__((always_inline)) void rotr32_by_1(rotate32_parts *x)
{
    __asm__("bit #1, %0\n\trrc %1\n\trrc %0" : "+r"(x->half[0]), "+r"(x->half[1]) : : "R2");
}

/* Rotates left by eight bits: bytes swapped in both halves, then the lower bytes exchanged. */
static inline __attribute__((always_inline)) void rotl32_by_8(rotate32_parts *x)
{
    uint16_t difference;

    __asm__("swpb %0\n\tswpb %1\n\tmov.b %0, %2\n\txor.b %1, %2\n\txor %2, %0\n\txor %2, %1"
            : "+&r"(x->half[0]), "+&r"(x->half[1]), "=&r"(difference)
            :
            : "R2");
}

/* `x` rotated left by `n` bits, a constant from 0 to 32. */
static inline __attribute__((always_inline)) uint32_t rotl32(uint32_t x, unsigned n)
{
    const unsigned exchanged = (n + 4) / 16 % 2, left = (n + 4) % 16; /* the rest, plus 4 */
    rotate32_parts from, to;

    from.word = x;
    to.half[exchanged] = from.half[0];
    to.half[1 - exchanged] = from.half[1];
    if (left > 8) {
        rotl32_by_8(&to);
    }
    switch (left) {
    case 8:
        rotl32_by_1(&to); /* fall through */
    case 7:
    case 15:
        rotl32_by_1(&to); /* fall through */
    case 6:
    case 14:
        rotl32_by_1(&to); /* fall through */
    case 5:
    case 13:
        rotl32_by_1(&to);
        break;
    case 0:
        rotr32_by_1(&to); /* fall through */
    case 1:
    case 9:
        rotr32_by_1(&to); /* fall through */
    case 2:
    case 10:
        rotr32_by_1(&to); /* fall through */
    case 3:
    case 11:
        rotr32_by_1(&to);
        break;
    default:
        break;
    }
    return to.word;
}

#else

/* `x` rotated left by `n` bits, 1 <= n <= 31. */
static inline uint32_t rotl32(uint32_t x, unsigned n)
{
    return x << n | x >> (32 - n);
}

#endif

/* `x` rotated right by `n` bits, 1 <= n <= 31; a constant on AVR and MSP430. */
static inline
#if defined(__AVR__) || (defined(__MSP430__) && defined(__GNUC__) && !defined(__clang__))
    __attribute__((always_inline))
#endif
    uint32_t rotr32(uint32_t x, unsigned n)
{
#if defined(__AVR__) || (defined(__MSP430__) && defined(__GNUC__) && !defined(__clang__))
    return rotl32(x, 32 - n);
#else
    return x >> n | x << (32 - n);
#endif
}

#if defined(__MSP430__) && defined(__GNUC__) && !defined(__clang__)
/* `x` shifted right by `n` bits, 1 <= n <= 31, a constant: a rotation with a mask. */
static inline __attribute__((always_inline)) uint32_t shr32(uint32_t x, unsigned n)
{
    return rotr32(x, n) & UINT32_MAX >> n;
}
#else
/* `x` shifted right by `n` bits, 1 <= n <= 31; a constant on AVR. */
static inline
#if defined(__AVR__)
    __attribute__((always_inline))
#endif
    uint32_t shr32(uint32_t x, unsigned n)
{
    return x >> n;
}
#endif

#endif
