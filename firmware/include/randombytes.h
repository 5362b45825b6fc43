/*
 * SUPERCOP's interface for packages: unpredictable bytes, from which masked implementations compute
 * their shares. On a part they would come from its random number generator, whose cost is unknown;
 * here they come from xorshift32 (Marsaglia, Xorshift RNGs, 2003), so that every run has the same
 * bytes, and their cost is counted.
 */
#ifndef RANDOMBYTES_H
#define RANDOMBYTES_H

#include <stdint.h>

static inline void randombytes(unsigned char *bytes, unsigned long long length)
{
    static uint32_t state = 0x9e3779b9u;

    for (unsigned long long i = 0; i < length; i++) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        bytes[i] = (unsigned char)(state >> 24);
    }
}

#endif
