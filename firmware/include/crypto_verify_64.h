/* What packages of SUPERCOP expect of their framework: are 64 bytes equal? 0 if so, else -1. */
#ifndef CRYPTO_VERIFY_64_H
#define CRYPTO_VERIFY_64_H

#include "pennyweight/compare.h"

#define crypto_verify_64_BYTES 64

static inline int crypto_verify_64(const unsigned char *x, const unsigned char *y)
{
    return pennyweight_compare(x, y, 64);
}

#endif
