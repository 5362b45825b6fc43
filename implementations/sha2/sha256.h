/*
 * SHA-256: shared by its parts.
 *
 * References: FIPS 180-4 (2015), sections 4.1.2, 4.2.2, 5.3.3, 6.2; same names.
 */
#ifndef PENNYWEIGHT_SHA256_H
#define PENNYWEIGHT_SHA256_H

#include <stddef.h>
#include <stdint.h>

#include "api.h"
#include "native/native.h"
#include "pennyweight/hash.h"

/* 1: of the sources of `small`, the compression over a window, the smallest on AVR and
 * MSP430. */
#ifndef SHA256_WINDOW
#if defined(__AVR__) || defined(__MSP430__) || !defined(SHA256_SMALL)
#define SHA256_WINDOW 1
#else
#define SHA256_WINDOW 0
#endif
#endif

struct hash_state {
    uint32_t h[8];     /* H^(i) */
    uint32_t bytes[2]; /* length of the message so far, lower half first */
    uint8_t block[64]; /* the partial block at its end */
};

/* Updates the intermediate hash value `h` with the `count` blocks of 64 bytes at `blocks`. */
void sha256_compress(uint32_t h[8], const uint8_t *blocks, size_t count);

/* The constants K_t. */
extern const uint32_t sha256_k[64];

#endif
