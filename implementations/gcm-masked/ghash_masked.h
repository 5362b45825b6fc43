/*
 * GHASH on shares of the hash subkey and of the sum so far.
 *
 * References: NIST SP 800-38D (2007), sections 6.3, 6.4; same names. ct32/ghash.h of the family
 * ghash, whose subkey and sum these are, once for each share.
 */
#ifndef PENNYWEIGHT_GCM_MASKED_GHASH_H
#define PENNYWEIGHT_GCM_MASKED_GHASH_H

#include <stddef.h>
#include <stdint.h>

#include "ghash.h"
#include "word32.h"

typedef struct {
    ghash_state share[MASKED_SHARES];
} masked_ghash;

/* Absorbs `length` bytes of public data at `data`, zero-padded to full blocks. */
void masked_ghash_update(masked_ghash *state, const uint8_t *data, size_t length);

#endif
