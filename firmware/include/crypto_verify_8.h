/* What packages of SUPERCOP expect of their framework: are 8 bytes equal? 0 if so, else -1. */
#ifndef CRYPTO_VERIFY_8_H
#define CRYPTO_VERIFY_8_H

#include "pennyweight/compare.h"

#define crypto_verify_8_BYTES 8

static inline int crypto_verify_8(const unsigned char *x, const unsigned char *y)
{
    return pennyweight_compare(x, y, 8);
}

#endif
