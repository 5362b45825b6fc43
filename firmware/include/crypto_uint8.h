/* SUPERCOP's interface for packages: an integer of 8 bits. */
#ifndef CRYPTO_UINT8_H
#define CRYPTO_UINT8_H

#include "pennyweight/cryptoint.h"

typedef uint8_t crypto_uint8;
PENNYWEIGHT_CRYPTOINT(crypto_uint8, 8)

#endif
