/*
 * The state of ACORN-128 as one row of bits.
 *
 * References: H. Wu, "ACORN: A Lightweight Authenticated Cipher (v3)" (2016), section 1.3.
 */
#ifndef PENNYWEIGHT_ACORN_STATE_H
#define PENNYWEIGHT_ACORN_STATE_H

#include <stdint.h>

#define ACORN_WORDS 0

/* S_0 is bit 0 of the first byte; bits after S_292 are 0. */
typedef struct {
    uint8_t s[38];
} acorn_state;

#endif
