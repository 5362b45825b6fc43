/*
 * Grain-128AEADv2 in blocks of 32 clocks.
 *
 * References: "Grain-128AEADv2" (2021), section 2.1 (see grain.h).
 *
 * No tap of either register is above 96, so 32 clocks run at once: for each register, four words
 * are the state and a fifth is the result of 32 clocks. Words are appended to a window and moved
 * back to its start when it is full.
 */
#ifndef PENNYWEIGHT_GRAIN_STATE_H
#define PENNYWEIGHT_GRAIN_STATE_H

#include <stdint.h>

/* 32 bits of both registers, the first bit least significant. */
typedef struct {
    uint32_t b; /* of the nonlinear register */
    uint32_t s; /* of the linear register */
} grain_words;

#if defined(__AVR__)
#define GRAIN_SPARE 3 /* elements after the fifth that grain_clock may use temporarily */
#else
#define GRAIN_SPARE 0
#endif

enum {
    GRAIN_STATE_WORDS = 4,
    GRAIN_WINDOW_BLOCKS = 8, /* even, and the 16 blocks of initialization a multiple of it */
};

/* A word of the stream, also as bytes in the machine's order; see grain_byte. */
typedef union {
    uint32_t word;
    uint8_t bytes[4];
} grain_group;

/* Accumulator and register. */
typedef struct {
    uint32_t a[2]; /* A */
    uint32_t r[2]; /* R */
} grain_authenticator;

typedef struct {
    grain_words window[GRAIN_STATE_WORDS + GRAIN_WINDOW_BLOCKS + GRAIN_SPARE];
    grain_authenticator a;
    grain_group z; /* key stream for the current 32 bits of m' */
    grain_group m; /* the current 32 bits of m' */
    uint32_t r;    /* the bits that enter R with them */
    uint8_t at;    /* the state's position in the window */
    uint8_t taken; /* bytes that m has, less than 4 */
} grain_state;

/* Clocks 32 times for each of `blocks` blocks, with the state in the four elements from `w` on,
 * moving up: writes the following elements, and 32 bits of pre-output per block. With `feedback` of
 * all ones (else 0) the pre-output is fed back, as in initialization. */
void grain_clock(grain_words *w, uint32_t *y, uint8_t blocks, uint8_t feedback);

/* Splits 64 bits of pre-output: bits 0, 2, 4, ... are key stream, bits 1, 3, 5, ... go into R. */
void grain_separate(const uint32_t *y, uint32_t *z, uint32_t *r);

/* Does for each bit i of `m` in turn: A += m_i R, and R takes bit i of `r`. */
void grain_authenticate(grain_authenticator *a, uint32_t m, uint32_t r);

#include "native/native.h"

#endif
