/*
 * The feedback function of Schwaemm on words of 32 bits.
 *
 * References: C. Beierle et al., "Schwaemm and Esch" (v1.2, 2021), section 2.3; same names.
 */
#ifndef PENNYWEIGHT_SCHWAEMM_RHO_H
#define PENNYWEIGHT_SCHWAEMM_RHO_H

#include <stddef.h>

#include "api.h"
#include "bytes.h"
#include "direction.h"
#include "inline.h"
#include "state.h"
#include "unroll.h"

/* Whether code may be longer for speed: with assembly, unless it is for a code cache. */
#if SCHWAEMM_NATIVE && !defined(SPARKLE_SMALL)
#define SCHWAEMM_LONG 1
#define UNROLL_IF_LONG UNROLL
#else
#define SCHWAEMM_LONG 0
#define UNROLL_IF_LONG
#endif

/* Takes a whole block. `output` may be NULL; `mask` is all ones if it is the plaintext, else zero.
 */
ALWAYS_INLINE void schwaemm_block(sparkle_state *s, uint8_t *output, const uint8_t *input,
                                  uint32_t mask, int aligned)
{
    UNROLL_IF_LONG
    for (unsigned i = 0; i < SCHWAEMM_RATE / 8; i++) {
        const unsigned j = i + SCHWAEMM_RATE / 8;
        const uint32_t s1 = s->words[i], s2 = s->words[j];
        uint32_t in1 = load_unit_if(input + 4 * i, aligned);
        uint32_t in2 = load_unit_if(input + 4 * j, aligned);

        if (output != NULL) {
            store_unit_if(output + 4 * i, in1 ^ s1, aligned);
            store_unit_if(output + 4 * j, in2 ^ s2, aligned);
            in1 ^= s1 & mask;
            in2 ^= s2 & mask;
        }
        s->words[i] = s2 ^ in1 ^ s->words[SCHWAEMM_RATE / 4 + i];
        s->words[j] = s2 ^ s1 ^ in2 ^ s->words[SCHWAEMM_RATE / 4 + j % (SCHWAEMM_CAPACITY / 4)];
    }
}

#if SCHWAEMM_LONG

/* `old` becomes S_L; S_L = FeistelSwap(S_L) + S_R. */
ALWAYS_INLINE void schwaemm_swap(sparkle_state *s, uint32_t old[SCHWAEMM_RATE / 4])
{
    const uint32_t *const right = s->words + SCHWAEMM_RATE / 4;

    UNROLL
    for (unsigned i = 0; i < SCHWAEMM_RATE / 8; i++) {
        const unsigned j = i + SCHWAEMM_RATE / 8;
        const uint32_t s1 = s->words[i], s2 = s->words[j];

        old[i] = s1;
        old[j] = s2;
        s->words[i] = s2 ^ right[i];
        s->words[j] = s2 ^ s1 ^ right[j % (SCHWAEMM_CAPACITY / 4)];
    }
}

/* The same as schwaemm_take for fewer bytes than a block: they are added to the state in place, and
 * no padded block is stored. */
static inline void schwaemm_part(sparkle_state *s, uint8_t *output, const uint8_t *input,
                                 uint8_t length, uint8_t direction)
{
    const uint32_t mask = direction == SCHWAEMM_DECRYPT ? UINT32_C(0xffffffff) : 0;
    const unsigned whole = length / 4;
    uint32_t old[SCHWAEMM_RATE / 4];

    schwaemm_swap(s, old);
    if (direction == SCHWAEMM_ABSORB) {
        for (unsigned i = 0; i < whole; i++) {
            s->words[i] ^= load_unit(input + 4 * i);
        }
        for (unsigned i = 4 * whole; i < length; i++) {
            s->bytes[i] ^= input[i];
        }
    } else {
        for (unsigned i = 0; i < whole; i++) {
            const uint32_t in = load_unit(input + 4 * i), stream = old[i];

            s->words[i] ^= in ^ (stream & mask);
            store_unit(output + 4 * i, in ^ stream);
        }
        for (unsigned i = 4 * whole; i < length; i++) {
            const uint8_t in = input[i], stream = ((const uint8_t *)old)[i];

            s->bytes[i] ^= (uint8_t)(in ^ (stream & mask));
            output[i] = in ^ stream;
        }
    }
    s->bytes[length] ^= 0x80;
}

#else

/* One copy is enough, unless only speed matters. */
#if SCHWAEMM_NATIVE
#define PAD_LINKAGE static inline
#else
#define PAD_LINKAGE NEVER_INLINE
#endif

/* The output is the sum of S_L and `length` bytes of input, fewer than a block; `block` becomes the
 * plaintext, padded. */
PAD_LINKAGE void schwaemm_pad(unit *block, const sparkle_state *s, uint8_t *output,
                              const uint8_t *input, uint8_t length, uint8_t direction)
{
    const uint8_t whole = length / sizeof(unit);
    uint8_t *const bytes = (uint8_t *)block;

    for (uint8_t i = 0; i < whole; i++) {
        const unit in = load_unit(input + i * sizeof(unit));
        const unit out = in ^ s->units[i];

        block[i] = in;
        if (direction != SCHWAEMM_ABSORB) {
            store_unit(output + i * sizeof(unit), out);
            if (direction == SCHWAEMM_DECRYPT) {
                block[i] = out;
            }
        }
    }
    for (uint8_t i = whole; i < SCHWAEMM_RATE / sizeof(unit); i++) {
        block[i] = 0;
        NO_LIBRARY_CALL();
    }
    for (uint8_t i = (uint8_t)(whole * sizeof(unit)); i < length; i++) {
        const uint8_t in = input[i];
        const uint8_t out = in ^ s->bytes[i];

        bytes[i] = in;
        if (direction != SCHWAEMM_ABSORB) {
            output[i] = out;
            if (direction == SCHWAEMM_DECRYPT) {
                bytes[i] = out;
            }
        }
    }
    bytes[length] = 0x80;
}

#endif

/* The output is the sum of S_L and `length` bytes of input; S_L = FeistelSwap(S_L) + the plaintext,
 * padded, + S_R. */
static inline void schwaemm_take(sparkle_state *s, uint8_t *output, const uint8_t *input,
                                 uint8_t length, uint8_t direction)
{
    const uint32_t mask = direction == SCHWAEMM_DECRYPT ? UINT32_C(0xffffffff) : 0;
#if SCHWAEMM_LONG
    if (length != SCHWAEMM_RATE) {
        schwaemm_part(s, output, input, length, direction);
    } else if (direction == SCHWAEMM_ABSORB) {
        schwaemm_block(s, NULL, input, 0, 0);
    } else {
        schwaemm_block(s, output, input, mask, 0);
    }
#else
    uint32_t block[SCHWAEMM_RATE / 4];

    if (length != SCHWAEMM_RATE) {
        schwaemm_pad(block, s, output, input, length, direction);
        input = (const uint8_t *)block;
        direction = SCHWAEMM_ABSORB;
    }
    if (direction == SCHWAEMM_ABSORB) {
        if (units_aligned(input, input)) {
            schwaemm_block(s, NULL, input, 0, 1);
        } else {
            schwaemm_block(s, NULL, input, 0, 0);
        }
    } else if (units_aligned(input, output)) {
        schwaemm_block(s, output, input, mask, 1);
    } else {
        schwaemm_block(s, output, input, mask, 0);
    }
#endif
}

#endif
