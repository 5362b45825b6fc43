/*
 * ForkSkinny, a tweakable block cipher with two outputs, with one interface for all.
 *
 * References: E. Andreeva, V. Lallemand, A. Purnal, R. Reyhanitabar, A. Roy, D. Vizár, "ForkAE v1"
 * (submission to NIST's lightweight cryptography project, round 2, 2019), section 2; same
 * names.
 *
 * "variant.h" of the member gives
 *   FORKSKINNY_BYTES         bytes of a block: 16, or 8 with cells of 4 bits;
 *   FORKSKINNY_TWEAKEYS      2 or 3, of as many bytes each;
 *   FORKSKINNY_BEFORE        r_init, the rounds before the fork;
 *   FORKSKINNY_AFTER         r_0 = r_1, those of each branch.
 * The implementation's "schedule.h" defines forkskinny_schedule.
 */
#ifndef PENNYWEIGHT_FORKSKINNY_H
#define PENNYWEIGHT_FORKSKINNY_H

#include <stdint.h>

#include "variant.h"

#define FORKSKINNY_KEY_BYTES 16
#define FORKSKINNY_TWEAKEY_BYTES (FORKSKINNY_BYTES * FORKSKINNY_TWEAKEYS)
#define FORKSKINNY_TWEAK_BYTES (FORKSKINNY_TWEAKEY_BYTES - FORKSKINNY_KEY_BYTES)
#define FORKSKINNY_ROUNDS (FORKSKINNY_BEFORE + 2 * FORKSKINNY_AFTER)

#include "schedule.h"

/* Sets the key, the first FORKSKINNY_KEY_BYTES of the tweakey, and clears the others. */
void forkskinny_set_key(forkskinny_schedule *s, const uint8_t *key);

/* Sets the FORKSKINNY_TWEAK_BYTES after the key. They are public. */
void forkskinny_set_tweak(forkskinny_schedule *s, const uint8_t *tweak);

/* Encrypts the block m to c1, and to c0 if that is not NULL. They may be one buffer with m. */
void forkskinny_encrypt(uint8_t *c0, uint8_t *c1, const uint8_t *m, const forkskinny_schedule *s);

/* The block m whose encryptions are the given c0, and c1. They may be one buffer with c0. */
void forkskinny_invert(uint8_t *m, uint8_t *c1, const uint8_t *c0, const forkskinny_schedule *s);

#endif
