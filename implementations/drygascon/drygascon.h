/*
 * DrySPONGE over GASCON.
 *
 * References: S. Riou, "DryGASCON" (submission to NIST's lightweight cryptography project, round 2,
 * 2019), sections 2 and 3; same names.
 *
 * "variant.h" gives the member's parameters. Words of 64 bits are interleaved, by definition: the
 * first word of 32 bits has the even bits.
 */
#ifndef PENNYWEIGHT_DRYGASCON_H
#define PENNYWEIGHT_DRYGASCON_H

#include <stdint.h>

#include "variant.h"

enum { DRYGASCON_BLOCK = 16, DRYGASCON_C_BYTES = 8 * DRYGASCON_WORDS };

typedef struct {
    uint32_t c[2 * DRYGASCON_WORDS];
    uint32_t x[4];
    uint32_t r[4]; /* the output of G */
} drygascon;

/* The kind of a block; the lowest bit is set if it was padded. */
enum {
    DRYGASCON_FINAL = 2, /* it is the last of all */
    DRYGASCON_NONCE = 1 << 2,
    DRYGASCON_AD = 2 << 2,
    DRYGASCON_MESSAGE = 3 << 2,
};

/* Fills c with copies of a key of DRYGASCON_KEY bytes. */
void drygascon_set_c(drygascon *s, const uint8_t *key);

/* Sets x to 16 bytes. */
void drygascon_set_x(drygascon *s, const uint8_t *bytes);

/* Computes x from c if the key has no part for it; then c begins with `key` again. */
void drygascon_derive_x(drygascon *s, const uint8_t *key);

/* F: absorbs a block of 16 bytes and the domain, which is 0 except for a last block. */
void drygascon_take(drygascon *s, const uint8_t *block, uint8_t domain, uint8_t rounds);

/* G. */
void drygascon_next(drygascon *s, uint8_t rounds);

/* Byte i of r. */
static inline uint8_t drygascon_output(const drygascon *s, uint8_t i)
{
    return (uint8_t)(s->r[i / 4] >> 8 * (i % 4));
}

#endif
