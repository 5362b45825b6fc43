/*
 * What packages of SUPERCOP expect of their framework: bytes that nobody can foretell, of which
 * masked implementations make their shares. On a part they would come of its generator, at a cost
 * that nobody can tell beforehand; here they come of xorshift32 (Marsaglia, Xorshift RNGs, 2003),
 * so that every run has the same, and what that costs is counted.
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
