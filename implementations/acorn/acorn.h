/*
 * The state of ACORN-128 and its step.
 *
 * References: H. Wu, "ACORN: A Lightweight Authenticated Cipher (v3)" (2016), section 1.3; same
 * names.
 *
 * Bit i of the state is S_i. No bit that is fed back is used within the next 32 steps, so up to 32
 * steps run in parallel on words: one bit per step, the first step in the lowest bit. "state.h" is
 * the representation that the implementation chose: acorn_state, and ACORN_WORDS, which is 1 if it
 * also does 32 steps at once.
 */
#ifndef PENNYWEIGHT_ACORN_H
#define PENNYWEIGHT_ACORN_H

#include <stdint.h>

#include "inline.h"
#include "state.h"

/* maj(x, y, z) and ch(x, y, z), for words of any length. */
#define ACORN_MAJ(x, y, z) ((((x) ^ (y)) & ((x) ^ (z))) ^ (x))
#define ACORN_CH(x, y, z) ((((y) ^ (z)) & (x)) ^ (z))

/* Controls the steps; public: the control bits ca and cb, and whether the XOR of input and key
 * stream enters the state instead of the input. */
typedef uint8_t acorn_control;

#define ACORN_CA 1
#define ACORN_CB 2
#define ACORN_DECRYPT 4

/* Returns `x` if a bit of `control` is set, or else 0. */
#define ACORN_IF(control, bit, x) (((control) & (bit)) != 0 ? (x) : 0)

/* Runs 8 steps with 8 bits of input. Returns their key stream. */
uint8_t acorn_steps_8(acorn_state *state, uint8_t input, acorn_control control);

#if ACORN_WORDS
/* Runs 32 steps with 32 bits of input. Returns their key stream. */
uint32_t acorn_steps_32(acorn_state *state, uint32_t input, acorn_control control);
#endif

#endif
