/* SUPERCOP's interface for packages: an integer of 64 bits. */
#ifndef CRYPTO_INT64_H
#define CRYPTO_INT64_H

#include "pennyweight/cryptoint.h"

typedef int64_t crypto_int64;
PENNYWEIGHT_CRYPTOINT(crypto_int64, 64)

#endif
