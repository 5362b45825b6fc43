/*
 * PHOTON-Beetle's operations on the state in the order of the specification, byte by byte.
 *
 * References: "PHOTON-Beetle" (2021), chapter 3 (see aead_state.h).
 */
#ifndef PENNYWEIGHT_PHOTON_BEETLE_SPONGE_H
#define PENNYWEIGHT_PHOTON_BEETLE_SPONGE_H

#include "direction.h"
#include "photon256.h"

/* The state is `first` followed by `second`, 16 bytes each. */
static inline void beetle_set(photon256_state *x, const uint8_t *first, const uint8_t *second)
{
    for (uint8_t i = 0; i < 16; i++) {
        *photon256_byte(x, i) = first[i];
        *photon256_byte(x, (uint8_t)(16 + i)) = second[i];
    }
}

/* Adds 4 bytes as bytes 4 i to 4 i + 3 of the state. */
static inline void beetle_add(photon256_state *x, uint8_t i, const uint8_t *bytes)
{
    for (uint8_t j = 0; j < 4; j++) {
        *photon256_byte(x, (uint8_t)(4 * i + j)) ^= bytes[j];
    }
}

/* Adds `c`, three bits, to the last three bits of the state. */
static inline void beetle_add_constant(photon256_state *x, uint8_t c)
{
    *photon256_byte(x, 31) ^= (uint8_t)(c << 5);
}

/* Writes the first 128 bits of the state. */
static inline void beetle_output(const photon256_state *x, uint8_t *output)
{
    photon256_state copy = *x;

    for (uint8_t i = 0; i < 16; i++) {
        output[i] = *photon256_byte(&copy, i);
    }
}

#ifdef BEETLE_RATE

/* Permutes, and absorbs `length` <= BEETLE_RATE bytes or does rho or its inverse with them. */
static inline void beetle_block(photon256_state *x, uint8_t *output, const uint8_t *input,
                                uint8_t length, enum beetle_direction direction)
{
    enum { HALF = BEETLE_RATE / 2 };
    uint8_t shuffled[BEETLE_RATE];

    photon256_permute(x);
    for (uint8_t i = 0; i < HALF; i++) {
        const uint8_t next = *photon256_byte(x, (i + 1) & (HALF - 1));

        shuffled[i] = *photon256_byte(x, (uint8_t)(HALF + i));
        shuffled[HALF + i] = (uint8_t)(*photon256_byte(x, i) >> 1 | next << 7);
    }
    for (uint8_t i = 0; i < length; i++) {
        uint8_t u = *input++;

        if (direction != BEETLE_ABSORB) {
            const uint8_t out = u ^ shuffled[i];

            *output++ = out;
            if (direction == BEETLE_DECRYPT) {
                u = out;
            }
        }
        *photon256_byte(x, i) ^= u;
    }
    if (length < BEETLE_RATE) {
        *photon256_byte(x, length) ^= 1; /* ozs */
    }
}

#endif
#endif
