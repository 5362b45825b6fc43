/* SUPERCOP's interface for packages: an integer of 32 bits. */
#ifndef CRYPTO_INT32_H
#define CRYPTO_INT32_H

#include "pennyweight/cryptoint.h"

typedef int32_t crypto_int32;
PENNYWEIGHT_CRYPTOINT(crypto_int32, 32)

#endif
