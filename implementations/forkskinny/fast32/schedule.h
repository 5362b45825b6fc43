/*
 * The round tweakeys of ForkSkinny with cells of 8 bits, in 32-bit words.
 *
 * References: E. Andreeva, V. Lallemand, A. Purnal, R. Reyhanitabar, A. Roy, D. Vizár, "ForkAE v1"
 * (submission to NIST's lightweight cryptography project, round 2, 2019), section 2; same
 * names.
 */
#ifndef PENNYWEIGHT_FORKSKINNY_SCHEDULE_H
#define PENNYWEIGHT_FORKSKINNY_SCHEDULE_H

#include <stdint.h>

#include "tweakey.h"

typedef struct {
    skinny128_rows sum[FORKSKINNY_ROUNDS]; /* round tweakeys and constants */
    uint8_t tweak[FORKSKINNY_TWEAK_BYTES]; /* the tweak they include */
} forkskinny_schedule;

#endif
