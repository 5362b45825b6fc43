/*
 * The incremental API of a MAC: the parts that the one-shot functions of SUPERCOP (crypto_auth,
 * crypto_auth_verify) are made of. An implementation that offers it defines all of these symbols;
 * mac_init_custom only if its manifest has `customisation = true`.
 *
 * Order of calls: mac_init (or mac_init_custom), mac_update zero or more times with any lengths,
 * mac_finalize, then mac_tag or mac_verify. The functions keep everything in the state; nothing is
 * allocated. No alignment is assumed but that of the state, which is 8.
 */
#ifndef PENNYWEIGHT_MAC_H
#define PENNYWEIGHT_MAC_H

#include <stddef.h>
#include <stdint.h>

typedef struct mac_state mac_state;

/* Bytes of mac_state. */
extern const uint16_t mac_state_bytes;

/* Sets up the key of CRYPTO_KEYBYTES bytes (for GMAC and Poly1305 the nonce is its last part). */
void mac_init(mac_state *state, const uint8_t *key);

/* The same in two parts (`key_setup = true` in the manifest), where there is a nonce: the part that
 * depends on the key alone, and the start of a message, which reads the nonce after the key. A
 * caller keeps the state as mac_set_key left it and starts every message from a copy of that. A MAC
 * without a nonce starts from a copy of what mac_init left. */
void mac_set_key(mac_state *state, const uint8_t *key);
void mac_start(mac_state *state, const uint8_t *key);

/* The same with a customisation string, where mac_init has an empty one (KMAC's S). */
void mac_init_custom(mac_state *state, const uint8_t *key, const uint8_t *custom, size_t length);

/* Absorbs `length` bytes of the message. */
void mac_update(mac_state *state, const uint8_t *message, size_t length);

/* Ends the message; afterwards the tag is available. */
void mac_finalize(mac_state *state);

/* Writes the tag of CRYPTO_BYTES bytes. */
void mac_tag(const mac_state *state, uint8_t *tag);

/* 0 if `tag` is the message's tag, -1 if not; constant time. */
int mac_verify(const mac_state *state, const uint8_t *tag);

#endif
