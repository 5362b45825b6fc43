/*
 * SKINNY-128's tweakeys in slices, round by round.
 *
 * References: "The SKINNY Family" (2016), section 2 (see skinny128.h).
 */
#ifndef PENNYWEIGHT_SKINNY128_SCHEDULE_H
#define PENNYWEIGHT_SKINNY128_SCHEDULE_H

#include <stdint.h>

#include "half.h"

typedef struct {
#if SKINNY128_KEEPS_TK3
    skinny128_half key[SKINNY128_ROUNDS]; /* TK3 and the round constants */
#endif
    skinny128_half sum[SKINNY128_ROUNDS]; /* all but the first half of TK1 */
} skinny128_schedule;

/* The permutation P_T has order 16: after this many even rounds, the first half is back. */
#define SKINNY128_PERIOD 8

/* Writes the round tweakeys that even rounds take from the first half of TK1, which is `lower`. */
void skinny128_expand_tk1(skinny128_half *halves, const uint8_t *lower);

/* Converts eight cells (two rows) to eight slices, or back: bit i of byte j becomes bit j of byte
 * i. `to` may be `from`. */
void skinny128_transpose(uint8_t *to, const uint8_t *from);

#endif
