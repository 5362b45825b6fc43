/* SUPERCOP's interface for packages: compares 8 bytes; 0 if they are equal, else -1. */
#ifndef CRYPTO_VERIFY_8_H
#define CRYPTO_VERIFY_8_H

#include "pennyweight/compare.h"

#define crypto_verify_8_BYTES 8

static inline int crypto_verify_8(const unsigned char *x, const unsigned char *y)
{
    return pennyweight_compare(x, y, 8);
}

#endif
