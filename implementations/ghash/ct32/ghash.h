/*
 * GHASH in constant time for 32-bit cores, with integer multiplications.
 *
 * References: NIST SP 800-38D (2007), sections 6.3, 6.4.
 */
#ifndef PENNYWEIGHT_GHASH_CT32_H
#define PENNYWEIGHT_GHASH_CT32_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint32_t h[9]; /* H x^-1 and sums of its words: see ghash_ct32.c */
    uint32_t y[4]; /* Y_i, GHASH of the blocks so far; y[3] from its first 4 bytes */
} ghash_state;

/* Starts GHASH_H with the hash subkey H at `h`. */
void ghash_init(ghash_state *state, const uint8_t h[16]);

/* Absorbs `length` bytes at `data`, zero-padded to full blocks. */
void ghash_update(ghash_state *state, const uint8_t *data, size_t length);

/* Writes GHASH_H of the blocks so far. */
void ghash_digest(const ghash_state *state, uint8_t digest[16]);

#endif
