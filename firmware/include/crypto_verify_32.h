/* SUPERCOP's interface for packages: compares 32 bytes; 0 if they are equal, else -1. */
#ifndef CRYPTO_VERIFY_32_H
#define CRYPTO_VERIFY_32_H

#include "pennyweight/compare.h"

#define crypto_verify_32_BYTES 32

static inline int crypto_verify_32(const unsigned char *x, const unsigned char *y)
{
    return pennyweight_compare(x, y, 32);
}

#endif
