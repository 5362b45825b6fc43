/*
 * The incremental API of a hash: the parts that the one-shot crypto_hash is made of.
 *
 * Order of calls: hash_init, hash_update zero or more times with any lengths, hash_final.
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

/* Absorbs `length` bytes of the message. */
void hash_update(hash_state *state, const uint8_t *message, size_t length);

/* Ends the message and writes the digest. */
void hash_final(hash_state *state, uint8_t *digest);

#endif
