/*
 * SUPERCOP's interface for packages: unpredictable bytes, from which masked implementations compute
 * their shares. They come from the same source as the words of pennyweight/random.h, four to a
 * word.
 */
#ifndef RANDOMBYTES_H
#define RANDOMBYTES_H

#include "pennyweight/random.h"

/* firmware/random/randombytes.c defines it for packages that declare it themselves. */
#ifndef RANDOMBYTES_LINKAGE
#define RANDOMBYTES_LINKAGE static inline
#endif

RANDOMBYTES_LINKAGE void randombytes(unsigned char *bytes, unsigned long long length)
{
    uint32_t word = 0;

    for (unsigned long long i = 0; i < length; i++) {
        word = i % 4 == 0 ? pw_random32() : word >> 8;
        bytes[i] = (unsigned char)word;
    }
}

#endif
