/*
 * Grain-128AEADv2 optimised for code size: the state.
 *
 * References: "Grain-128AEADv2" (2021), section 2.1 (see grain.h).
 */
#ifndef PENNYWEIGHT_GRAIN_STATE_H
#define PENNYWEIGHT_GRAIN_STATE_H

#include <limits.h>
#include <stdint.h>

/* A machine word, or a byte where 32-bit words are slow: the bits computed at once. */
#if UINT_MAX > 0xffff
typedef uint32_t grain_word;
#define GRAIN_WORD_BYTES 4
#else
typedef uint8_t grain_word;
#define GRAIN_WORD_BYTES 1
#endif
#define GRAIN_REGISTER_WORDS (16 / GRAIN_WORD_BYTES)
#define GRAIN_TAG_WORDS (8 / GRAIN_WORD_BYTES)

typedef struct {
    grain_word registers[2 * GRAIN_REGISTER_WORDS]; /* s_0 to s_127, then b_0 to b_127 */
    grain_word tag[2 * GRAIN_TAG_WORDS];            /* the accumulator A, then the register R */
    grain_word y;                                   /* unused pre-output bits */
    uint8_t left;                                   /* how many they are */
} grain_state;

#endif
