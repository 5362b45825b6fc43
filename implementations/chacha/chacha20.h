/*
 * ChaCha20.
 *
 * References: RFC 8439 (2018), sections 2.1 to 2.4; same names.
 */
#ifndef PENNYWEIGHT_CHACHA20_H
#define PENNYWEIGHT_CHACHA20_H

#include <stddef.h>
#include <stdint.h>

#include "native/native.h"

#define CHACHA20_COUNTER 12 /* the word of the state that counts blocks */

/* 64 bytes stored as little-endian words. */
typedef union {
    uint32_t words[16];
    uint8_t bytes[64];
} chacha20_stream;

/* Sets up the state for the block with counter 0: constants, a key of 32 bytes, a nonce of 12. */
void chacha20_init(uint32_t state[16], const uint8_t *key, const uint8_t *nonce);

/* Sets the nonce of a state for the block with counter 0. */
void chacha20_set_nonce(uint32_t state[16], const uint8_t *nonce);

/* block = the words of the block of key stream for `state`. */
void chacha20_block(uint32_t block[16], const uint32_t state[16]);

/* Writes the next block of key stream, and adds one to the counter. */
void chacha20_next(chacha20_stream *stream, uint32_t state[16]);

/* output = input ^ key stream, from the next block on; the rest of a partial last block is
 * discarded. */
void chacha20_encrypt(uint32_t state[16], uint8_t *output, const uint8_t *input, size_t length);

#endif
