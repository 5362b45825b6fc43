/*
 * The state of ACORN-128 in bytes: each of its six shift registers begins in its own byte, so that
 * most of their lowest bits need no shift.
 *
 * References: H. Wu, "ACORN: A Lightweight Authenticated Cipher (v3)" (2016), section 1.3.
 */
#ifndef PENNYWEIGHT_ACORN_STATE_H
#define PENNYWEIGHT_ACORN_STATE_H

#include <stdint.h>

#define ACORN_WORDS 0

/* Bits from the lowest of the first byte up; bits beyond the registers' lengths are 0. */
typedef struct {
    uint8_t r0[8];   /* S_0 to S_60 */
    uint8_t r61[6];  /* S_61 to S_106 */
    uint8_t r107[6]; /* S_107 to S_153 */
    uint8_t r154[5]; /* S_154 to S_192 */
    uint8_t r193[5]; /* S_193 to S_229 */
    uint8_t r230[8]; /* S_230 to S_288 */
    uint8_t r289;    /* S_289 to S_292 */
} acorn_state;

#endif
