/*
 * The state of ACORN-128 in words of 32 bits: two words for each of its six shift registers, and
 * one for the four bits after them.
 *
 * References: H. Wu, "ACORN: A Lightweight Authenticated Cipher (v3)" (2016), section 1.3.
 */
#ifndef PENNYWEIGHT_ACORN_STATE_H
#define PENNYWEIGHT_ACORN_STATE_H

#include <stdint.h>

#define ACORN_WORDS 1

/* Bits from the lowest up; bits beyond the register's length are 0. */
typedef struct {
    uint32_t low, high;
} acorn_register;

typedef struct {
    acorn_register r0;   /* S_0 to S_60 */
    acorn_register r61;  /* S_61 to S_106 */
    acorn_register r107; /* S_107 to S_153 */
    acorn_register r154; /* S_154 to S_192 */
    acorn_register r193; /* S_193 to S_229 */
    acorn_register r230; /* S_230 to S_288 */
    uint32_t r289;       /* S_289 to S_292 */
} acorn_state;

#endif
