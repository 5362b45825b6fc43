/*
 * A word of Ascon's state in two halves, for assembly that processes bytes: see word.h.
 *
 * References: NIST SP 800-232 (2025), section 3 and appendix A; Ascon v1.2 (2021), section 2.
 */
#ifndef PENNYWEIGHT_ASCON_MASKED_WHOLE_LANE_H
#define PENNYWEIGHT_ASCON_MASKED_WHOLE_LANE_H

#include <stdint.h>

#include "bytes.h"
#include "variant.h"

/* A word: bits 0 to 31, and 32 to 63. */
typedef struct {
    uint32_t low, high;
} ascon_lane;

/* The word of value `x`, a constant. */
static inline ascon_lane ascon_lane_of(uint64_t x)
{
    return (ascon_lane){(uint32_t)x, (uint32_t)(x >> 32)};
}

/* a + b. */
static inline ascon_lane ascon_lane_xor(ascon_lane a, ascon_lane b)
{
    return (ascon_lane){a.low ^ b.low, a.high ^ b.high};
}

/* Copies 8 bytes between a message and a word on a little-endian machine. */
static inline void ascon_lane_copy(uint8_t *to, const uint8_t *from)
{
    for (unsigned i = 0; i < 8; i++) {
        to[i] = from[ASCON_BIG_ENDIAN ? 7 - i : i];
    }
}

/* Reads a word from the 8 bytes at `p`. */
static inline ascon_lane ascon_lane_load(const uint8_t *p)
{
    ascon_lane x;

    ascon_lane_copy((uint8_t *)&x, p);
    return x;
}

/* Adds the word of the 8 bytes at `p`, byte by byte, so that no copy of it is on the stack. */
static inline void ascon_lane_add_bytes(ascon_lane *x, const uint8_t *p)
{
    uint8_t *to = (uint8_t *)x;

    for (unsigned i = 0; i < 8; i++) {
        to[i] ^= p[ASCON_BIG_ENDIAN ? 7 - i : i];
    }
}

/* Writes `x` as 8 bytes. */
static inline void ascon_lane_store(uint8_t *p, ascon_lane x)
{
    ascon_lane_copy(p, (const uint8_t *)&x);
}

/* Adds the padding's first byte as byte `i` of the word. */
static inline void ascon_lane_pad(ascon_lane *x, unsigned i)
{
    ((uint8_t *)x)[ASCON_BIG_ENDIAN ? 7 - i : i] ^= ASCON_BIG_ENDIAN ? 0x80 : 1;
}

/* Adds the bit that separates associated data from the message to the state's last word, `x`. */
static inline void ascon_lane_separate(ascon_lane *x)
{
    ((uint8_t *)x)[ASCON_BIG_ENDIAN ? 0 : 7] ^= ASCON_BIG_ENDIAN ? 1 : 0x80;
}

#endif
