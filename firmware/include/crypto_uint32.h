/* SUPERCOP's interface for packages: an integer of 32 bits. */
#ifndef CRYPTO_UINT32_H
#define CRYPTO_UINT32_H

#include "pennyweight/cryptoint.h"

typedef uint32_t crypto_uint32;
PENNYWEIGHT_CRYPTOINT(crypto_uint32, 32)

#endif
