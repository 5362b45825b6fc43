/*
 * BLAKE2s and BLAKE2b: shared by the hash and the MAC.
 *
 * References: RFC 7693 (2015); same names.
 */
#ifndef PENNYWEIGHT_BLAKE2_H
#define PENNYWEIGHT_BLAKE2_H

#include <stddef.h>
#include <stdint.h>

#include "native/native.h"
#include "variant.h"

/* Whether words in memory have the message's byte order. A macro of the build may set it to 0; the
 * result is the same. */
#if !defined(BLAKE2_LITTLE_ENDIAN)
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define BLAKE2_LITTLE_ENDIAN 1
#else
#define BLAKE2_LITTLE_ENDIAN 0
#endif
#endif

typedef struct {
    blake2_word h[8];
    blake2_word m[16];    /* a block's words, in the order of bytes of memory: its bytes */
    blake2_word bytes[2]; /* t: the number of bytes that were compressed */
    uint8_t filled;       /* pending bytes in m */
} blake2;

/* SIGMA, eight bytes a round, two indices a byte, the first one in the lower half. */
extern const uint8_t blake2_sigma[80];

/* IV. */
extern const uint32_t blake2_iv[16];

/* IV[i]. */
blake2_word blake2_iv_word(uint8_t i);

/* Starts a hash of `size` bytes under a key of `key_bytes` bytes, which may be 0. */
void blake2_init(blake2 *state, uint8_t size, const uint8_t *key, uint8_t key_bytes);

/* Absorbs `length` bytes. */
void blake2_update(blake2 *state, const uint8_t *message, size_t length);

/* Ends the message and writes `size` bytes, a multiple of a word's. */
void blake2_final(blake2 *state, uint8_t *digest, uint8_t size);

/* The rounds of F: v, of 16 words, is mixed with the block m. */
void blake2_rounds(blake2_word *v, const blake2_word *m);

#endif
