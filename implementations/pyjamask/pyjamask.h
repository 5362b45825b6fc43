/*
 * The block cipher Pyjamask.
 *
 * References: D. Goudarzi, J. Jean, S. Kölbl, T. Peyrin, M. Rivain, Y. Sasaki, S. M. Sim, "Pyjamask
 * v1.0" (submission to NIST's lightweight cryptography project, round 2, 2019), section 2; same
 * names.
 *
 * "variant.h" gives PYJAMASK_ROWS, 3 or 4; "matrices.h" is the representation's way to multiply.
 */
#ifndef PENNYWEIGHT_PYJAMASK_H
#define PENNYWEIGHT_PYJAMASK_H

#include <stdint.h>

#include "variant.h"

enum { PYJAMASK_ROUNDS = 14, PYJAMASK_BYTES = 4 * PYJAMASK_ROWS };

/* The round keys. */
typedef struct {
    uint32_t k[PYJAMASK_ROUNDS + 1][4];
} pyjamask_key;

/* The key schedule, for a key of 16 bytes. */
void pyjamask_set_key(pyjamask_key *key, const uint8_t *bytes);

/* Encrypts a block in place. */
void pyjamask_encrypt(const pyjamask_key *key, uint8_t *block);

/* The inverse. */
void pyjamask_decrypt(const pyjamask_key *key, uint8_t *block);

#endif
