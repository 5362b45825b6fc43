/*
 * The incremental API of an AEAD: the parts that the one-shot functions of SUPERCOP and NIST
 * packages (crypto_aead_encrypt, crypto_aead_decrypt) are made of. An implementation that offers
 * it defines all of these symbols; the measurer calls them one by one.
 *
 * Order of calls, once each unless stated otherwise:
 *   aead_init, aead_ad*, aead_encrypt* or aead_decrypt*, aead_finalize, aead_tag or aead_verify.
 * Calls marked * happen zero or more times; of one kind, every call but the last takes a multiple
 * of aead_block_bytes bytes. The functions keep everything in the state; nothing is allocated.
 * Output may be the same buffer as input; no other overlap is allowed. No alignment is assumed
 * but that of the state, which is 8.
 */
#ifndef PENNYWEIGHT_AEAD_H
#define PENNYWEIGHT_AEAD_H

#include <stddef.h>
#include <stdint.h>

typedef struct aead_state aead_state;

/* Bytes of aead_state, and the granularity of all calls of a kind but the last. */
extern const uint16_t aead_state_bytes;
extern const uint16_t aead_block_bytes;

/* Sets up key and nonce. */
void aead_init(aead_state *state, const uint8_t *key, const uint8_t *nonce);

/* The same in two parts (`key_setup = true` in the manifest), for many messages under one key: the
 * part that depends on the key alone, and the start of a message. A caller keeps the state as
 * aead_set_key left it and starts every message from a copy of that. */
void aead_set_key(aead_state *state, const uint8_t *key);
void aead_start(aead_state *state, const uint8_t *nonce);

/* Absorbs `length` bytes of associated data. */
void aead_ad(aead_state *state, const uint8_t *ad, size_t length);

/* Writes `length` bytes of ciphertext for as many of plaintext. */
void aead_encrypt(aead_state *state, uint8_t *ciphertext, const uint8_t *plaintext, size_t length);

/* Writes `length` bytes of plaintext for as many of ciphertext. Not to be used before
 * aead_verify has returned 0; erasing it otherwise is the caller's duty. */
void aead_decrypt(aead_state *state, uint8_t *plaintext, const uint8_t *ciphertext, size_t length);

/* Ends the message; afterwards the tag is available. */
void aead_finalize(aead_state *state);

/* Writes the tag. */
void aead_tag(const aead_state *state, uint8_t *tag);

/* 0 if `tag` is the message's tag, -1 if not; constant time. */
int aead_verify(const aead_state *state, const uint8_t *tag);

#endif
