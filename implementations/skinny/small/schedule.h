/*
 * SKINNY-128's unexpanded tweakeys, which the rounds update.
 *
 * References: "The SKINNY Family" (2016), section 2 (see skinny128.h).
 */
#ifndef PENNYWEIGHT_SKINNY128_SCHEDULE_H
#define PENNYWEIGHT_SKINNY128_SCHEDULE_H

#include <stdint.h>

typedef struct {
    uint8_t tk[SKINNY128_TWEAKEYS][16]; /* the first half of TK1 is not used */
} skinny128_schedule;

#endif
