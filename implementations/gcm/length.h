/*
 * Lengths of data and messages in AES-GCM.
 *
 * References: NIST SP 800-38D (2007), sections 5.2.1.1 and 7.1; same names.
 */
#ifndef PENNYWEIGHT_GCM_LENGTH_H
#define PENNYWEIGHT_GCM_LENGTH_H

#include <stddef.h>
#include <stdint.h>

#include "bytes.h"

/* A length in bytes, 16 blocks + rest, up to 2^36 (the limit of a message in GCM). */
typedef struct {
    uint32_t blocks;
    uint8_t rest;
} gcm_length;

/* Adds `length` bytes to `total`. */
static inline void gcm_count(gcm_length *total, size_t length)
{
    total->blocks += (uint32_t)(length / 16);
    total->rest = (uint8_t)(total->rest + length % 16);
}

/* [length in bits]_64. */
static inline void gcm_store_bits(uint8_t bytes[8], const gcm_length *length)
{
    store32_be(bytes, length->blocks >> 25);
    store32_be(bytes + 4, length->blocks << 7 | (uint32_t)length->rest << 3);
}

#endif
