/*
 * Words of memory at aligned addresses, in the machine's byte order.
 *
 * On cores without unaligned accesses (ARMv6-M), assembling a word from bytes costs five times
 * as much as loading it. Most buffers are word-aligned, so the test pays off. The address is
 * public.
 *
 * References: GCC manual, "Other Builtins": __builtin_assume_aligned. C11 has no portable way to
 * determine alignment from a pointer: without GCC or clang the answer is no.
 */
#ifndef PENNYWEIGHT_UTIL_ALIGNED_H
#define PENNYWEIGHT_UTIL_ALIGNED_H

#include <stdint.h>

#if defined(__GNUC__)

/* Whether words can be read and written at `p`. */
static inline int is_aligned32(const void *p)
{
    return ((uintptr_t)p & 3) == 0;
}

/* The word at `p`, for which is_aligned32 holds. */
static inline uint32_t load32_aligned(const uint8_t *p)
{
    uint32_t x;

    __builtin_memcpy(&x, __builtin_assume_aligned(p, 4), sizeof x);
    return x;
}

/* Writes a word to `p`, for which is_aligned32 holds. */
static inline void store32_aligned(uint8_t *p, uint32_t x)
{
    __builtin_memcpy(__builtin_assume_aligned(p, 4), &x, sizeof x);
}

#else

/* Whether words can be read and written at `p`: unknown, so no. */
static inline int is_aligned32(const void *p)
{
    (void)p;
    return 0;
}

/* Not called. */
static inline uint32_t load32_aligned(const uint8_t *p)
{
    return p[0];
}

/* Not called. */
static inline void store32_aligned(uint8_t *p, uint32_t x)
{
    p[0] = (uint8_t)x;
}

#endif
#endif
