/*
 * Ascon's state without shares, but with a key in shares, for initialization and finalization on
 * shares: see keyed.c.
 *
 * References: NIST SP 800-232 (2025), section 4.1; Ascon v1.2 (2021), section 2.4.
 */
#ifndef PENNYWEIGHT_ASCON_KEYED_H
#define PENNYWEIGHT_ASCON_KEYED_H

#include "masked.h"

#define ASCON_KEYED 1

typedef masked_key ascon_key;

#endif
