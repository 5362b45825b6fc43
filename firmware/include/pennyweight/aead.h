/*
 * The incremental API of an AEAD: the steps of the one-shot functions of SUPERCOP and NIST packages
 * (crypto_aead_encrypt, crypto_aead_decrypt). An implementation that offers it defines all of these
 * symbols; the measurement calls them one by one.
 *
 * Order of calls, once each unless stated otherwise:
 *   aead_init, aead_ad*, aead_encrypt* or aead_decrypt*, aead_finalize, aead_tag or aead_verify.
 * Calls marked * happen zero or more times; all calls of one kind except the last take a multiple
 * of aead_block_bytes bytes. The functions keep everything in the state; nothing is allocated.
 * Output may be the same buffer as input; no other overlap is allowed. Only the state must be
 * aligned: to 8 bytes.
 */
#ifndef PENNYWEIGHT_AEAD_H
#define PENNYWEIGHT_AEAD_H

#include <stddef.h>
#include <stdint.h>

typedef struct aead_state aead_state;

/* Bytes of aead_state, and the granularity of all calls of one kind except the last. */
extern const uint16_t aead_state_bytes;
extern const uint16_t aead_block_bytes;

/* Sets the key and the nonce. */
void aead_init(aead_state *state, const uint8_t *key, const uint8_t *nonce);

/* The same in two parts (`key_setup = true` in the manifest), for many messages under one key: the
 * part that depends on the key alone, and the start of a message. A caller keeps the state that
 * aead_set_key leaves and starts every message from a copy of it. */
void aead_set_key(aead_state *state, const uint8_t *key);
void aead_start(aead_state *state, const uint8_t *nonce);

/* Absorbs `length` bytes of associated data. */
void aead_ad(aead_state *state, const uint8_t *ad, size_t length);

/* Encrypts `length` bytes. */
void aead_encrypt(aead_state *state, uint8_t *ciphertext, const uint8_t *plaintext, size_t length);

/* Decrypts `length` bytes. The caller must not use the plaintext before aead_verify has returned 0,
 * and must erase it if the tag is rejected. */
void aead_decrypt(aead_state *state, uint8_t *plaintext, const uint8_t *ciphertext, size_t length);

/* Ends the message. The tag is available afterwards. */
void aead_finalize(aead_state *state);

/* Writes the tag. */
void aead_tag(const aead_state *state, uint8_t *tag);

/* Returns 0 if `tag` is the message's tag, or else -1, in constant time. */
int aead_verify(const aead_state *state, const uint8_t *tag);

#endif
