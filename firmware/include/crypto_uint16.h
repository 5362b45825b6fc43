/* SUPERCOP's interface for packages: an integer of 16 bits. */
#ifndef CRYPTO_UINT16_H
#define CRYPTO_UINT16_H

#include "pennyweight/cryptoint.h"

typedef uint16_t crypto_uint16;
PENNYWEIGHT_CRYPTOINT(crypto_uint16, 16)

#endif
