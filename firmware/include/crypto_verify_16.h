/* SUPERCOP's interface for packages: compares 16 bytes; 0 if they are equal, else -1. */
#ifndef CRYPTO_VERIFY_16_H
#define CRYPTO_VERIFY_16_H

#include "pennyweight/compare.h"

#define crypto_verify_16_BYTES 16

static inline int crypto_verify_16(const unsigned char *x, const unsigned char *y)
{
    return pennyweight_compare(x, y, 16);
}

#endif
