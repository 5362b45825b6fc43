/*
 * Grain-128AEADv2 as a stream: the interface between a representation and the mode.
 *
 * References: M. Hell, T. Johansson, A. Maximov, W. Meier, J. Sönnerup, H. Yoshida,
 * "Grain-128AEADv2 - A lightweight AEAD stream cipher" (2021), sections 2.1 to 2.4; same names.
 *
 * Bits are numbered as in the specification; bit i of a byte string is bit i % 8, counted from the
 * least significant one, of byte i / 8.
 */
#ifndef PENNYWEIGHT_GRAIN_H
#define PENNYWEIGHT_GRAIN_H

#include <stddef.h>
#include <stdint.h>

#include "state.h"

#define GRAIN_KEY_BYTES 16
#define GRAIN_NONCE_BYTES 12
#define GRAIN_TAG_BYTES 8

/* How bytes are authenticated. */
enum grain_direction {
    GRAIN_ABSORB,  /* they are not encrypted: the key stream is discarded */
    GRAIN_ENCRYPT, /* they are encrypted */
    GRAIN_DECRYPT, /* they are decrypted, and the result is authenticated */
};

/* Loads key and nonce, clocks 384 times, and sets up accumulator and register. */
void grain_init(grain_state *g, const uint8_t *key, const uint8_t *nonce);

/* Authenticates the next `length` bytes of the message m'. `output` may be `input`; it is not
 * used when absorbing. */
void grain_bytes(grain_state *g, uint8_t *output, const uint8_t *input, size_t length,
                 enum grain_direction direction);

/* Adds the padding, a single 1, and writes the tag. */
void grain_tag(grain_state *g, uint8_t *tag);

#endif
