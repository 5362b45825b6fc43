/*
 * For secrets: constant-time comparison, and erasure that the compiler does not remove.
 *
 * References: none beyond C11, which allows a compiler to drop stores to an object that nothing
 * reads again (5.1.2.3) but not accesses to volatile objects.
 */
#ifndef PENNYWEIGHT_UTIL_SECRET_H
#define PENNYWEIGHT_UTIL_SECRET_H

#include <stddef.h>
#include <stdint.h>

/* 0 if the `length` bytes at `a` and `b` are equal, -1 if not. The time depends on `length` only.
 */
static inline int compare_constant_time(const uint8_t *a, const uint8_t *b, size_t length)
{
    uint8_t difference = 0;
    for (size_t i = 0; i < length; i++) {
        difference = (uint8_t)(difference | (a[i] ^ b[i]));
    }
    /* 0 - 1 borrows into the upper byte, 1..255 - 1 does not; the upper byte is 0xff or 0. */
    return (int)((((unsigned)difference - 1u) >> 8) & 1u) - 1;
}

/* Erases `length` bytes at `p`; never optimised away. */
static inline void wipe(void *p, size_t length)
{
    volatile uint8_t *bytes = p;
    while (length != 0) {
        *bytes++ = 0;
        length--;
    }
}

#endif
