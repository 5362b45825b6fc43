/* SUPERCOP's interface for packages: an integer of 8 bits. */
#ifndef CRYPTO_INT8_H
#define CRYPTO_INT8_H

#include "pennyweight/cryptoint.h"

typedef int8_t crypto_int8;
PENNYWEIGHT_CRYPTOINT(crypto_int8, 8)

#endif
