/*
 * The interface of FELICS-AE (https://gitlab.inria.fr/minier/felics-ae) for its ciphers: where data
 * is placed.
 */
#ifndef CIPHER_H
#define CIPHER_H

#include <stddef.h>
#include <stdint.h>

/* The framework's alignment of data: 1 byte on an AVR, 2 on an MSP430, 8 elsewhere. */
#if defined(AVR)
#define ALIGNED __attribute__((aligned(1)))
#elif defined(MSP)
#define ALIGNED __attribute__((aligned(2)))
#else
#define ALIGNED __attribute__((aligned(8)))
#endif

#include "../../felics/data.h"

#endif
