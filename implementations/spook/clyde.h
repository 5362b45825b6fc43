/*
 * The tweakable block cipher Clyde-128 and the permutation Shadow.
 *
 * References: D. Bellizia, F. Berti, O. Bronchain, G. Cassiers, S. Duval, C. Guo, G. Leander, G.
 * Leurent, I. Levi, C. Momin, O. Pereira, T. Peters, F.-X. Standaert, F. Wiemer, "Spook"
 * (submission to NIST's lightweight cryptography project, round 2, 2019), section 2; same
 * names.
 *
 * "width.h" gives SHADOW_BUNDLES. A bundle is four rows of 32 bits, each with its least significant
 * byte first.
 */
#ifndef PENNYWEIGHT_CLYDE_H
#define PENNYWEIGHT_CLYDE_H

#include <stdint.h>

#include "width.h"

enum { SHADOW_BYTES = 16 * SHADOW_BUNDLES };

/* Encrypts a block of 16 bytes to `output` under a key and a tweak of 16 bytes each. */
void clyde_encrypt(uint8_t *output, const uint8_t *block, const uint8_t *tweak, const uint8_t *key);

/* Applies Shadow to a state as bytes. */
void shadow_permute(uint8_t *bytes);

#endif
