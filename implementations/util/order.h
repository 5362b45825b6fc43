/*
 * Words stored with a certain byte first, independent of the machine's byte order, for objects that
 * are read both as words and as bytes.
 *
 * References: C11, 6.5.2.3 (reading another member of a union); gcc's and clang's predefined
 * macros.
 */
#ifndef PENNYWEIGHT_UTIL_ORDER_H
#define PENNYWEIGHT_UTIL_ORDER_H

#include <stdint.h>

/* x with its bytes in the opposite order. RV32I without Zbb has no instruction for it, and the
 * built-in function is a call. */
static inline uint32_t reverse_bytes32(uint32_t x)
{
#if defined(__riscv) && !defined(__riscv_zbb) && !defined(__OPTIMIZE_SIZE__)
    const uint32_t mask = UINT32_C(0x00ff00ff);

    x = (x & mask) << 8 | (x >> 8 & mask);
    return x << 16 | x >> 16;
#elif defined(__GNUC__)
    return __builtin_bswap32(x);
#else
    return x << 24 | (x & UINT32_C(0xff00)) << 8 | (x >> 8 & UINT32_C(0xff00)) | x >> 24;
#endif
}

/* The value of a word that was read from its bytes, least significant first; or, the other way
 * round, the word to write so that the bytes have the value `x`. */
static inline uint32_t little_endian32(uint32_t x)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return reverse_bytes32(x);
#else
    return x;
#endif
}

/* The same for bytes with the most significant first. */
static inline uint32_t big_endian32(uint32_t x)
{
    return reverse_bytes32(little_endian32(x));
}

#endif
