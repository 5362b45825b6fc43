/*
 * The sponge on Keccak-f[1600], the base of SHA-3 and its derivatives.
 *
 * References: FIPS 202 (2015), sections 4 and 5.1.
 *
 * "variant.h" defines KECCAK_RATE, the bytes of a block, a multiple of 8.
 */
#ifndef PENNYWEIGHT_KECCAK_SPONGE_H
#define PENNYWEIGHT_KECCAK_SPONGE_H

#include <stddef.h>
#include <stdint.h>

#include "keccak1600.h"

typedef struct {
    keccak1600_state s;
    uint8_t at; /* bytes of the current block that were absorbed, or squeezed */
} keccak_sponge;

/* The bits that follow a message, and the first bit of padding. */
enum { KECCAK_SHA3 = 0x06, KECCAK_SHAKE = 0x1f, KECCAK_CSHAKE = 0x04 };

/* Sets the state to zero; nothing is absorbed. */
void keccak_init(keccak_sponge *sponge);

/* Absorbs `length` bytes. */
void keccak_absorb(keccak_sponge *sponge, const uint8_t *input, size_t length);

/* Pads a partial current block with zeros. */
void keccak_fill(keccak_sponge *sponge);

/* Pads the message after `suffix`, and permutes. */
void keccak_finish(keccak_sponge *sponge, uint8_t suffix);

/* Writes `length` bytes of the state from byte `at` on. */
void keccak_read(const keccak_sponge *sponge, uint8_t at, uint8_t *output, uint8_t length);

/* Squeezes the next `length` bytes. */
void keccak_squeeze(keccak_sponge *sponge, uint8_t *output, size_t length);

#endif
