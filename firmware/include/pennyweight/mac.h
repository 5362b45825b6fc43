/*
 * The incremental API of a MAC: the steps of SUPERCOP's one-shot functions (crypto_auth,
 * crypto_auth_verify). An implementation that offers it defines all of these symbols;
 * mac_init_custom only if its manifest has `customisation = true`.
 *
 * Order of calls: mac_init (or mac_init_custom), mac_update zero or more times with any lengths,
 * mac_finalize, then mac_tag or mac_verify. The functions keep everything in the state; nothing is
 * allocated. Only the state must be aligned: to 8 bytes.
 */
#ifndef PENNYWEIGHT_MAC_H
#define PENNYWEIGHT_MAC_H

#include <stddef.h>
#include <stdint.h>

typedef struct mac_state mac_state;

/* Bytes of mac_state. */
extern const uint16_t mac_state_bytes;

/* Sets the key of CRYPTO_KEYBYTES bytes. For GMAC and Poly1305, the nonce is its last part. */
void mac_init(mac_state *state, const uint8_t *key);

/* The same in two parts (`key_setup = true` in the manifest), for MACs with a nonce: the part that
 * depends on the key alone, and the start of a message, which reads the nonce after the key. A
 * caller keeps the state that mac_set_key leaves and starts every message from a copy of it. A MAC
 * without a nonce starts from a copy of the state after mac_init. */
void mac_set_key(mac_state *state, const uint8_t *key);
void mac_start(mac_state *state, const uint8_t *key);

/* The same with a customisation string (KMAC's S); mac_init uses an empty one. */
void mac_init_custom(mac_state *state, const uint8_t *key, const uint8_t *custom, size_t length);

/* Absorbs `length` bytes of the message. */
void mac_update(mac_state *state, const uint8_t *message, size_t length);

/* Ends the message. The tag is available afterwards. */
void mac_finalize(mac_state *state);

/* Writes the tag of CRYPTO_BYTES bytes. */
void mac_tag(const mac_state *state, uint8_t *tag);

/* Returns 0 if `tag` is the message's tag, or else -1, in constant time. */
int mac_verify(const mac_state *state, const uint8_t *tag);

#endif
