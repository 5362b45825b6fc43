/*
 * Poly1305 with numbers as bytes, optimised for code size.
 *
 * References: RFC 8439 (2018), section 2.5; same names.
 */
#ifndef PENNYWEIGHT_POLY1305_H
#define PENNYWEIGHT_POLY1305_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint8_t r[16]; /* r, clamped */
    uint8_t a[17]; /* the accumulator, less than 2^133 */
} poly1305;

/* Starts a message with the key's first half, the 16 bytes at `r`. */
void poly1305_init(poly1305 *state, const uint8_t *r);

/* a = (a + block + top 2^128) r for each of the `count` blocks of 16 bytes at `blocks`. `top` is 1
 * for the blocks of a message, 0 for a shorter last block that carries its own end mark. */
void poly1305_blocks(poly1305 *state, const uint8_t *blocks, size_t count, uint8_t top);

/* Adds a to `s`, which is the key's second half at entry and the tag of 16 bytes on return. */
void poly1305_finish(const poly1305 *state, uint8_t *s);

#endif
