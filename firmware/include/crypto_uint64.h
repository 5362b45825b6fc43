/* SUPERCOP's interface for packages: an integer of 64 bits. */
#ifndef CRYPTO_UINT64_H
#define CRYPTO_UINT64_H

#include "pennyweight/cryptoint.h"

typedef uint64_t crypto_uint64;
PENNYWEIGHT_CRYPTOINT(crypto_uint64, 64)

#endif
