/*
 * ForkSkinny's unexpanded tweakey, for code that expands it round by round.
 *
 * References: E. Andreeva, V. Lallemand, A. Purnal, R. Reyhanitabar, A. Roy, D. Vizár, "ForkAE v1"
 * (submission to NIST's lightweight cryptography project, round 2, 2019), section 2.
 */
#ifndef PENNYWEIGHT_FORKSKINNY_SCHEDULE_H
#define PENNYWEIGHT_FORKSKINNY_SCHEDULE_H

#include <stdint.h>

typedef struct {
    uint8_t tweakey[FORKSKINNY_TWEAKEY_BYTES];
} forkskinny_schedule;

#endif
