/* SUPERCOP's interface for packages: compares 64 bytes; 0 if they are equal, else -1. */
#ifndef CRYPTO_VERIFY_64_H
#define CRYPTO_VERIFY_64_H

#include "pennyweight/compare.h"

#define crypto_verify_64_BYTES 64

static inline int crypto_verify_64(const unsigned char *x, const unsigned char *y)
{
    return pennyweight_compare(x, y, 64);
}

#endif
