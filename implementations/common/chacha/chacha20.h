/*
 * ChaCha20.
 *
 * References: RFC 8439 (2018), sections 2.1 to 2.4; names as there.
 */
#ifndef PENNYWEIGHT_CHACHA20_H
#define PENNYWEIGHT_CHACHA20_H

#include <stddef.h>
#include <stdint.h>

#define CHACHA20_COUNTER 12 /* the word of the state that counts blocks */

/* Sets up the state for the block with counter 0: constants, a key of 32 bytes, a nonce of 12. */
void chacha20_init(uint32_t state[16], const uint8_t *key, const uint8_t *nonce);

/* Writes the block of key stream of `state` as 16 little-endian words (chacha20_block), and adds
 * one to the counter. */
void chacha20_block(uint32_t block[16], uint32_t state[16]);

/* output = input ^ key stream, from the block of `state` on; the counter comes to stand after the
 * last block, whole or not. */
void chacha20_encrypt(uint32_t state[16], uint8_t *output, const uint8_t *input, size_t length);

#endif
