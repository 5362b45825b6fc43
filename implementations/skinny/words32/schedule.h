/*
 * SKINNY-128's tweakeys in 32-bit words, round by round.
 *
 * References: "The SKINNY Family" (2016), section 2 (see skinny128.h).
 */
#ifndef PENNYWEIGHT_SKINNY128_SCHEDULE_H
#define PENNYWEIGHT_SKINNY128_SCHEDULE_H

#include <stdint.h>

#include "../native/native.h"
#include "tweakey.h"

typedef struct {
#if SKINNY128_KEEPS_TK3
    skinny128_rows key[SKINNY128_ROUNDS]; /* TK3 and the round constants */
#endif
#if SKINNY128_NATIVE
    uint32_t sliced[SKINNY128_ROUNDS][4]; /* all but the first half of TK1, as assembly adds it */
#else
    skinny128_rows sum[SKINNY128_ROUNDS]; /* all but the first half of TK1 */
#endif
} skinny128_schedule;

/* The permutation P_T has order 16: after this many even rounds, the first half is back. */
#define SKINNY128_PERIOD 8

/* Writes the round tweakeys that even rounds take from the first half of TK1, which is `lower`. */
void skinny128_expand_tk1(skinny128_rows *rows, const uint8_t *lower);

#endif
