/*
 * PHOTON-Beetle's operations on a state in slices, by rows.
 *
 * References: "PHOTON-Beetle" (2021), chapter 3 (see aead_state.h).
 */
#ifndef PENNYWEIGHT_PHOTON_BEETLE_SPONGE_H
#define PENNYWEIGHT_PHOTON_BEETLE_SPONGE_H

#include "bytes.h"
#include "direction.h"
#include "photon256.h"

/* The state is `first` followed by `second`, 16 bytes each. */
static inline void beetle_set(photon256_state *x, const uint8_t *first, const uint8_t *second)
{
    for (uint8_t i = 0; i < 4; i++) {
        x->rows[i] = photon256_to_row(load32_le(first + 4 * i));
        x->rows[4 + i] = photon256_to_row(load32_le(second + 4 * i));
    }
}

/* Adds 4 bytes as bytes 4 i to 4 i + 3 of the state. */
static inline void beetle_add(photon256_state *x, uint8_t i, const uint8_t *bytes)
{
    x->rows[i] ^= photon256_to_row(load32_le(bytes));
}

/* Adds `c`, three bits, to the last three bits of the state: to slices 1 to 3 of its last cell. */
static inline void beetle_add_constant(photon256_state *x, uint8_t c)
{
    x->rows[7] ^= (uint32_t)(c & 1) << 15 ^ (uint32_t)(c & 2) << 22 ^ (uint32_t)(c & 4) << 29;
}

/* Writes the first 128 bits of the state. */
static inline void beetle_output(const photon256_state *x, uint8_t *output)
{
    for (uint8_t i = 0; i < 4; i++) {
        store32_le(output + 4 * i, photon256_from_row(x->rows[i]));
    }
}

#ifdef BEETLE_RATE

enum { BEETLE_RATE_WORDS = BEETLE_RATE / 4 };

/* Shuffle: the second half of `s`, then the first, rotated to the right by a bit. */
static inline void beetle_shuffle(uint32_t *v, const uint32_t *s)
{
#if BEETLE_RATE == 16
    v[0] = s[2];
    v[1] = s[3];
    v[2] = s[0] >> 1 | s[1] << 31;
    v[3] = s[1] >> 1 | s[0] << 31;
#else
    v[0] = s[0] >> 16 | (s[0] & 0xfffe) << 15 | s[0] << 31;
#endif
}

/* ozs: the first `length` < BEETLE_RATE bytes of `block` followed by a 1 and zeros. */
static inline void beetle_pad(uint8_t *block, uint8_t length)
{
    block[length] = 1;
    while (++length < BEETLE_RATE) {
        block[length] = 0;
    }
}

/* Adds BEETLE_RATE bytes to the state. */
static inline void beetle_add_block(photon256_state *x, const uint8_t *block)
{
    for (uint8_t i = 0; i < BEETLE_RATE_WORDS; i++) {
        beetle_add(x, i, block + 4 * i);
    }
}

/* Permutes, and absorbs `length` <= BEETLE_RATE bytes or does rho or its inverse with them. */
static inline void beetle_block(photon256_state *x, uint8_t *output, const uint8_t *input,
                                uint8_t length, enum beetle_direction direction)
{
    uint32_t s[BEETLE_RATE_WORDS], v[BEETLE_RATE_WORDS];
    uint8_t block[BEETLE_RATE];
    uint8_t *to = output;

    if (length < BEETLE_RATE) {
        for (uint8_t i = 0; i < length; i++) {
            block[i] = input[i];
        }
        beetle_pad(block, length);
        input = to = block;
    }
    photon256_permute(x);
    for (uint8_t i = 0; i < BEETLE_RATE_WORDS; i++) {
        s[i] = photon256_from_row(x->rows[i]);
    }
    if (direction != BEETLE_DECRYPT) {
        beetle_add_block(x, input);
    }
    if (direction == BEETLE_ABSORB) {
        return;
    }
    beetle_shuffle(v, s);
    for (uint8_t i = 0; i < BEETLE_RATE_WORDS; i++) {
        store32_le(to + 4 * i, load32_le(input + 4 * i) ^ v[i]);
    }
    if (to == block) {
        for (uint8_t i = 0; i < length; i++) {
            output[i] = block[i];
        }
        beetle_pad(block, length);
    }
    if (direction == BEETLE_DECRYPT) {
        beetle_add_block(x, to);
    }
}

#endif
#endif
