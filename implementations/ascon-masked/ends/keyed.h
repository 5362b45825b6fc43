/*
 * Ascon's state without shares, but with a key in shares, for initialization and finalization on
 * shares: see keyed.c.
 */
#ifndef PENNYWEIGHT_ASCON_KEYED_H
#define PENNYWEIGHT_ASCON_KEYED_H

#include "masked.h"

#define ASCON_KEYED 1

typedef masked_key ascon_key;

#endif
