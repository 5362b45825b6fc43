/* SUPERCOP's interface for packages: an integer of 16 bits. */
#ifndef CRYPTO_INT16_H
#define CRYPTO_INT16_H

#include "pennyweight/cryptoint.h"

typedef int16_t crypto_int16;
PENNYWEIGHT_CRYPTOINT(crypto_int16, 16)

#endif
