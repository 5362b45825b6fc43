/*
 * For adapters of libraries that compute tags but do not compare them.
 */
#ifndef PENNYWEIGHT_COMPARE_H
#define PENNYWEIGHT_COMPARE_H

#include <stddef.h>
#include <stdint.h>

/* Returns 0 if two tags are equal, or else -1, in constant time. */
static inline int pennyweight_compare(const uint8_t *tag, const uint8_t *other, size_t length)
{
    uint8_t difference = 0;
    for (size_t i = 0; i < length; i++) {
        difference |= tag[i] ^ other[i];
    }
    return difference == 0 ? 0 : -1;
}

#endif
