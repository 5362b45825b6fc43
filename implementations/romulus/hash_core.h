/*
 * Romulus-H as Romulus-T and the hash itself use it.
 *
 * References: "Romulus v1.3" (2021), section 2.4 (see romulus.h); same names.
 */
#ifndef PENNYWEIGHT_ROMULUS_HASH_CORE_H
#define PENNYWEIGHT_ROMULUS_HASH_CORE_H

#include <stddef.h>
#include <stdint.h>

#include "romulus.h"

typedef struct {
    uint8_t l[ROMULUS_BLOCK];         /* L */
    uint8_t r[ROMULUS_BLOCK];         /* R */
    uint8_t block[2 * ROMULUS_BLOCK]; /* message bytes of an incomplete block */
    uint8_t taken;                    /* how many they are */
} romulus_hash;

/* Starts a message. */
void romulus_hash_init(romulus_hash *h);

/* Absorbs `length` bytes of the message. */
void romulus_hash_update(romulus_hash *h, const uint8_t *message, size_t length);

/* Ends the message; the digest is `l` and then `r`. */
void romulus_hash_final(romulus_hash *h);

#endif
