/*
 * GHASH in constant time for 8-bit cores, by masks.
 *
 * References: NIST SP 800-38D (2007), sections 6.3, 6.4.
 */
#ifndef PENNYWEIGHT_GHASH_CT8_H
#define PENNYWEIGHT_GHASH_CT8_H

#include <stddef.h>
#include <stdint.h>

/* All bytes in sequence, so that one pointer reaches everything that a step needs. */
typedef struct {
    struct {
        uint8_t h[8]; /* of H, H x, ..., H x^7 */
        uint8_t y;    /* of Y_i, GHASH of the blocks so far */
    } byte[16];
} ghash_state;

/* Starts GHASH_H with the hash subkey H at `h`. */
void ghash_init(ghash_state *state, const uint8_t h[16]);

/* Absorbs `length` bytes at `data`, zero-padded to full blocks. */
void ghash_update(ghash_state *state, const uint8_t *data, size_t length);

/* Writes GHASH_H of the blocks so far. */
void ghash_digest(const ghash_state *state, uint8_t digest[16]);

#endif
