/*
 * For adapters of libraries that make tags and leave it to their users to compare them.
 */
#ifndef PENNYWEIGHT_COMPARE_H
#define PENNYWEIGHT_COMPARE_H

#include <stddef.h>
#include <stdint.h>

/* 0 if the bytes of two tags are equal, else -1; the time does not depend on them. */
static inline int pennyweight_compare(const uint8_t *tag, const uint8_t *other, size_t length)
{
    uint8_t difference = 0;
    for (size_t i = 0; i < length; i++) {
        difference |= tag[i] ^ other[i];
    }
    return difference == 0 ? 0 : -1;
}

#endif
