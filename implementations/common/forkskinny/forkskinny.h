/*
 * ForkSkinny, a tweakable block cipher with two outputs, as all of its implementations offer it.
 *
 * References: E. Andreeva, V. Lallemand, A. Purnal, R. Reyhanitabar, A. Roy, D. Vizár, "ForkAE v1"
 * (submission to NIST's lightweight cryptography project, round 2, 2019), section 2; names
 * as there.
 *
 * "variant.h" of the member gives
 *   FORKSKINNY_BYTES         bytes of a block: 16, or 8 with cells of 4 bits;
 *   FORKSKINNY_TWEAKEYS      2 or 3, of as many bytes each;
 *   FORKSKINNY_BEFORE        r_init, the rounds before the fork;
 *   FORKSKINNY_AFTER         r_0 = r_1, those of each branch.
 */
#ifndef PENNYWEIGHT_FORKSKINNY_H
#define PENNYWEIGHT_FORKSKINNY_H

#include <stdint.h>

#include "variant.h"

#define FORKSKINNY_TWEAKEY_BYTES (FORKSKINNY_BYTES * FORKSKINNY_TWEAKEYS)

/* Encrypts the block m to c1, and to c0 if that is not NULL. They may be one buffer with m. */
void forkskinny_encrypt(uint8_t *c0, uint8_t *c1, const uint8_t *m, const uint8_t *tweakey);

/* The block m whose encryptions are the given c0, and c1. They may be one buffer with c0. */
void forkskinny_invert(uint8_t *m, uint8_t *c1, const uint8_t *c0, const uint8_t *tweakey);

#endif
