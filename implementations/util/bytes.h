/*
 * Converts bytes to words and back, independent of the machine's byte order and alignment rules.
 *
 * Written as byte shifts, which gcc and clang merge into one load or store (and REV if
 * needed) on cores with unaligned accesses, and keep as bytes on the others (AVR, MSP430,
 * ARMv6-M).
 *
 * References: none beyond C11.
 */
#ifndef PENNYWEIGHT_UTIL_BYTES_H
#define PENNYWEIGHT_UTIL_BYTES_H

#include <stddef.h>
#include <stdint.h>

/* Prevents the compiler from replacing the enclosing loop with a call of memcpy or memset: for a
 * cipher block the call costs more than the loop, and the function takes flash. */
#if defined(__GNUC__)
#define NO_LIBRARY_CALL() __asm__ volatile("" ::: "memory")
#else
#define NO_LIBRARY_CALL() ((void)0)
#endif

/* Copies `length` bytes to `to`; they must not overlap. */
static inline void copy_bytes(uint8_t *to, const uint8_t *from, size_t length)
{
    for (; length != 0; length--) {
        *to++ = *from++;
        NO_LIBRARY_CALL();
    }
}

/* Sets `length` bytes at `to` to zero. */
static inline void zero_bytes(uint8_t *to, size_t length)
{
    for (; length != 0; length--) {
        *to++ = 0;
        NO_LIBRARY_CALL();
    }
}

/* The 32-bit word of the 4 bytes at `p`, least significant byte first. */
static inline uint32_t load32_le(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* Writes `x` to the 4 bytes at `p`, least significant byte first. */
static inline void store32_le(uint8_t *p, uint32_t x)
{
    p[0] = (uint8_t)x;
    p[1] = (uint8_t)(x >> 8);
    p[2] = (uint8_t)(x >> 16);
    p[3] = (uint8_t)(x >> 24);
}

/* The 32-bit word of the 4 bytes at `p`, most significant byte first. */
static inline uint32_t load32_be(const uint8_t *p)
{
    return (uint32_t)p[3] | (uint32_t)p[2] << 8 | (uint32_t)p[1] << 16 | (uint32_t)p[0] << 24;
}

/* Writes `x` to the 4 bytes at `p`, most significant byte first. */
static inline void store32_be(uint8_t *p, uint32_t x)
{
    p[0] = (uint8_t)(x >> 24);
    p[1] = (uint8_t)(x >> 16);
    p[2] = (uint8_t)(x >> 8);
    p[3] = (uint8_t)x;
}

/* The 64-bit word of the 8 bytes at `p`, least significant byte first. */
static inline uint64_t load64_le(const uint8_t *p)
{
    return (uint64_t)load32_le(p) | (uint64_t)load32_le(p + 4) << 32;
}

/* Writes `x` to the 8 bytes at `p`, least significant byte first. */
static inline void store64_le(uint8_t *p, uint64_t x)
{
    store32_le(p, (uint32_t)x);
    store32_le(p + 4, (uint32_t)(x >> 32));
}

/* The 64-bit word of the 8 bytes at `p`, most significant byte first. */
static inline uint64_t load64_be(const uint8_t *p)
{
    return (uint64_t)load32_be(p) << 32 | (uint64_t)load32_be(p + 4);
}

/* Writes `x` to the 8 bytes at `p`, most significant byte first. */
static inline void store64_be(uint8_t *p, uint64_t x)
{
    store32_be(p, (uint32_t)(x >> 32));
    store32_be(p + 4, (uint32_t)x);
}

#endif
