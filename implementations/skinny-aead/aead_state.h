/*
 * The state of SKINNY-AEAD between the calls of the incremental API.
 *
 * References: C. Beierle et al., "SKINNY-AEAD and SKINNY-Hash v1.1" (2019), section 2.
 */
#ifndef PENNYWEIGHT_SKINNY_AEAD_STATE_H
#define PENNYWEIGHT_SKINNY_AEAD_STATE_H

#include <stdint.h>

#include "pennyweight/aead.h"
#include "skinny128.h"

/* Of M5 and M6, the bytes of the longest message and of the longest associated data: those of
 * 2^24 - 1 blocks, after which the counter repeats. Callers of the incremental API must observe
 * that themselves. */
#if SKINNY128_TWEAKEYS == 2
#define AEAD_LONGEST (16 * ((UINT32_C(1) << 24) - 1))
#endif

struct aead_state {
    skinny128_schedule schedule; /* key, nonce and domain */
    uint8_t lfsr[8];             /* first half of TK1: the block counter, and the bytes after it */
    uint8_t auth[16];            /* Auth; the tag once finalized */
    uint8_t sum[16];             /* the message's checksum */
    uint8_t domain;              /* the one in the schedule, if there, without SKINNY_AEAD_MEMBER */
    uint8_t message;             /* the message has begun: the counter is its own */
    uint8_t partial;             /* its last block was partial */
};

#endif
