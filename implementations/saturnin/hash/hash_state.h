/*
 * The state of SATURNIN-Hash between the calls of the incremental API.
 *
 * References: A. Canteaut, S. Duval, G. Leurent, M. Naya-Plasencia, L. Perrin, T. Pornin, A.
 * Schrottenloher, "Saturnin" (submission to NIST's lightweight cryptography project, round 2,
 * 2019), section 2.
 */
#ifndef PENNYWEIGHT_SATURNIN_HASH_STATE_H
#define PENNYWEIGHT_SATURNIN_HASH_STATE_H

#include <stdint.h>

#include "pennyweight/hash.h"
#include "saturnin.h"

struct hash_state {
    uint8_t chain[SATURNIN_BYTES];
    uint8_t block[SATURNIN_BYTES];
    uint8_t taken; /* bytes in the current block */
};

#endif
