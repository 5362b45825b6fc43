/*
 * The incremental API of a hash: the steps of the one-shot crypto_hash.
 *
 * Order of calls: hash_init, hash_update zero or more times with any lengths, hash_final. An XOF
 * (`xof = true` in the manifest) continues with any number of calls of hash_squeeze; a customised
 * XOF (`customisation = true`) may begin with hash_init_custom instead of hash_init.
 */
#ifndef PENNYWEIGHT_HASH_H
#define PENNYWEIGHT_HASH_H

#include <stddef.h>
#include <stdint.h>

typedef struct hash_state hash_state;

/* Bytes of hash_state; its alignment is 8. */
extern const uint16_t hash_state_bytes;

/* Starts a message. */
void hash_init(hash_state *state);

/* Starts a message with a customisation string; hash_init uses an empty one. */
void hash_init_custom(hash_state *state, const uint8_t *custom, size_t length);

/* Absorbs `length` bytes of the message. */
void hash_update(hash_state *state, const uint8_t *message, size_t length);

/* Ends the message and writes the digest: the first CRYPTO_BYTES bytes of output. */
void hash_final(hash_state *state, uint8_t *digest);

/* Writes the next `length` bytes of output. */
void hash_squeeze(hash_state *state, uint8_t *output, size_t length);

#endif
