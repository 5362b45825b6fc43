/*
 * Rotations of 64-bit words by constants.
 *
 * Compilers do well with the usual pair of shifts on 32-bit cores. gcc calls a loop of single-bit
 * shifts for each on AVR and MSP430. On AVR a rotation becomes a move of whole bytes and at most
 * four rotations by one bit; on MSP430 a move of parts of 16 bits, perhaps one of bytes, and at
 * most five rotations by one bit.
 *
 * References: AVR Instruction Set Manual (DS40002198): ROL, ROR, BST, BLD; MSP430x1xx Family User's
 * Guide (SLAU049), section 3.4: ADC, BIT, MOV, RLA, RLC, RRC, SWPB, XOR.
 */
#ifndef PENNYWEIGHT_UTIL_ROTATE64_H
#define PENNYWEIGHT_UTIL_ROTATE64_H

#include <stdint.h>

#if defined(__AVR__) && !defined(__clang__)

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

#elif defined(__MSP430__) && defined(__GNUC__) && !defined(__clang__)

/* A word, and its parts of 16 bits, the least significant first. */
typedef union {
    uint64_t word;
    uint16_t part[4];
} rotate64_parts;

#define ROTATE64_PARTS(x)                                                                          \
    "+r"((x)->part[0]), "+r"((x)->part[1]), "+r"((x)->part[2]), "+r"((x)->part[3])

/* Rotates left by one bit. R2 is the status register. */
static inline __attribute__((always_inline)) void rotl64_by_1(rotate64_parts *x)
{
    __asm__("rla %0\n\trlc %1\n\trlc %2\n\trlc %3\n\tadc %0" : ROTATE64_PARTS(x) : : "R2");
}

/* Rotates right by one bit. */
static inline __attribute__((always_inline)) void rotr64_by_1(rotate64_parts *x)
{
    __asm__("bit #1, %0\n\trrc %3\n\trrc %2\n\trrc %1\n\trrc %0" : ROTATE64_PARTS(x) : : "R2");
}

/*
 * Rotates left by eight bits: after swapping the bytes of each part, the low bytes move up by one
 * part, in three exchanges of neighbours.
 */
static inline __attribute__((always_inline)) void rotl64_by_8(rotate64_parts *x)
{
    uint16_t t;

    __asm__("swpb %0\n\tswpb %1\n\tswpb %2\n\tswpb %3\n\t"
            "mov %2, %4\n\txor %3, %4\n\tmov.b %4, %4\n\txor %4, %2\n\txor %4, %3\n\t"
            "mov %1, %4\n\txor %2, %4\n\tmov.b %4, %4\n\txor %4, %1\n\txor %4, %2\n\t"
            "mov %0, %4\n\txor %1, %4\n\tmov.b %4, %4\n\txor %4, %0\n\txor %4, %1"
            : ROTATE64_PARTS(x), "=&r"(t)
            :
            : "R2");
}

/* `x` rotated left by `n` bits, a constant from 0 to 64. */
static inline __attribute__((always_inline)) uint64_t rotl64(uint64_t x, unsigned n)
{
    const unsigned parts = (n + 5) / 16, left = (n + 5) % 16; /* 5 more than the rest */
    rotate64_parts from, to;

    from.word = x;
    to.part[parts % 4] = from.part[0];
    to.part[(parts + 1) % 4] = from.part[1];
    to.part[(parts + 2) % 4] = from.part[2];
    to.part[(parts + 3) % 4] = from.part[3];
    if (left > 10) {
        rotl64_by_8(&to);
    }
    switch (left) {
    case 10:
        rotl64_by_1(&to); /* fall through */
    case 9:
        rotl64_by_1(&to); /* fall through */
    case 8:
        rotl64_by_1(&to); /* fall through */
    case 7:
    case 15:
        rotl64_by_1(&to); /* fall through */
    case 6:
    case 14:
        rotl64_by_1(&to);
        break;
    case 0:
        rotr64_by_1(&to); /* fall through */
    case 1:
        rotr64_by_1(&to); /* fall through */
    case 2:
        rotr64_by_1(&to); /* fall through */
    case 3:
    case 11:
        rotr64_by_1(&to); /* fall through */
    case 4:
    case 12:
        rotr64_by_1(&to);
        break;
    default:
        break;
    }
    return to.word;
}

#else

/* A word's parts of 16 bits, the least significant first. */
typedef struct {
    uint16_t part[4];
} rotate64_parts;

/* Rotates left by one bit. */
static inline void rotl64_by_1(rotate64_parts *x)
{
    const uint16_t top = x->part[3] >> 15;

    x->part[3] = (uint16_t)(x->part[3] << 1 | x->part[2] >> 15);
    x->part[2] = (uint16_t)(x->part[2] << 1 | x->part[1] >> 15);
    x->part[1] = (uint16_t)(x->part[1] << 1 | x->part[0] >> 15);
    x->part[0] = (uint16_t)(x->part[0] << 1 | top);
}

/* Rotates right by one bit. */
static inline void rotr64_by_1(rotate64_parts *x)
{
    const unsigned low = x->part[0];

    x->part[0] = (uint16_t)(x->part[0] >> 1 | (unsigned)x->part[1] << 15);
    x->part[1] = (uint16_t)(x->part[1] >> 1 | (unsigned)x->part[2] << 15);
    x->part[2] = (uint16_t)(x->part[2] >> 1 | (unsigned)x->part[3] << 15);
    x->part[3] = (uint16_t)(x->part[3] >> 1 | low << 15);
}

/* `x` rotated left by `n` bits, 1 <= n <= 63. */
static inline uint64_t rotl64(uint64_t x, unsigned n)
{
    return x << n | x >> (64 - n);
}

#endif

/* `x` rotated right by `n` bits, 1 <= n <= 63; a constant on AVR and MSP430. */
static inline
#if defined(__AVR__) || (defined(__MSP430__) && defined(__GNUC__) && !defined(__clang__))
    __attribute__((always_inline))
#endif
    uint64_t rotr64(uint64_t x, unsigned n)
{
    return rotl64(x, 64 - n);
}

#if defined(__MSP430__) && defined(__GNUC__) && !defined(__clang__)
/* `x` shifted right by `n` bits, 1 <= n <= 63, a constant: a rotation without wrapped bits. */
static inline __attribute__((always_inline)) uint64_t shr64(uint64_t x, unsigned n)
{
    return rotr64(x, n) & UINT64_MAX >> n;
}
#else
/* `x` shifted right by `n` bits, 1 <= n <= 63. */
static inline uint64_t shr64(uint64_t x, unsigned n)
{
    return x >> n;
}
#endif

#endif
