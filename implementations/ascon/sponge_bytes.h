/*
 * Data in and out of Ascon's state, a byte at a time, for representations that store a word as its
 * bytes, the least significant one first.
 *
 * References: NIST SP 800-232 (2025), section 4.1 and appendix A; Ascon v1.2 (2021), section 2.4.
 *
 * The representation defines ascon_state with its 40 `bytes`.
 */
#ifndef PENNYWEIGHT_ASCON_SPONGE_H
#define PENNYWEIGHT_ASCON_SPONGE_H

#include <stddef.h>

#include "bytes.h"
#include "direction.h"
#include "flash.h"

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define ASCON_BYTE_OF_WORD(i) ((i) ^ 7)
#else
#define ASCON_BYTE_OF_WORD(i) (i)
#endif

/* Precedes loops over the bytes of key or nonce: the representation may define it as ROLL. */
#ifndef ASCON_BYTE_LOOP
#define ASCON_BYTE_LOOP
#endif

/* Byte `i` of the state. The words of Ascon v1.2 have their most significant byte first. */
static inline uint8_t *ascon_at(ascon_state *s, uint8_t i)
{
    return &s->bytes[ASCON_BIG_ENDIAN ? i ^ 7 : i];
}

#ifdef ASCON_KEY_BYTES

typedef struct {
    uint8_t bytes[ASCON_KEY_BYTES];
} ascon_key;

/* Sets the key to ASCON_KEY_BYTES bytes. */
static inline void ascon_set_key(ascon_key *key, const uint8_t *bytes)
{
    copy_bytes(key->bytes, bytes, ASCON_KEY_BYTES);
}

/* S = IV || K || N. */
static inline void ascon_set_state(ascon_state *s, const ascon_key *key, const uint8_t *nonce)
{
    store64_le(s->bytes, ASCON_IV);
    ASCON_BYTE_LOOP
    for (uint8_t i = 0; i < ASCON_KEY_BYTES; i++) {
        *ascon_at(s, (uint8_t)(24 - ASCON_KEY_BYTES + i)) = key->bytes[i];
    }
    ASCON_BYTE_LOOP
    for (uint8_t i = 0; i < 16; i++) {
        *ascon_at(s, (uint8_t)(24 + i)) = nonce[i];
    }
}

/* Adds the key to the state from byte `offset` on. */
static inline void ascon_add_key(ascon_state *s, const ascon_key *key, uint8_t offset)
{
    ASCON_BYTE_LOOP
    for (uint8_t i = 0; i < ASCON_KEY_BYTES; i++) {
        *ascon_at(s, (uint8_t)(offset + i)) ^= key->bytes[i];
    }
}

#endif

#ifdef ASCON_INITIAL

/* S = the state of a hash after initialization: computed, or where ASCON_STORE_INITIAL is not 0,
 * stored. */
static inline void ascon_set_hash_state(ascon_state *s)
{
#if ASCON_STORE_INITIAL
    static const uint64_t initial[5] IN_FLASH = {ASCON_INITIAL};

    for (uint8_t i = 0; i < 40; i++) {
        s->bytes[ASCON_BYTE_OF_WORD(i)] = flash_u8((const uint8_t *)initial + i);
    }
#else
    store64_le(s->bytes, ASCON_IV);
    zero_bytes(s->bytes + 8, 32);
    ascon_permute(s, ASCON_ROUNDS_A);
#endif
}

#endif

/* Absorbs `length` bytes of input into the state, whose current block has `taken` bytes so far, and
 * applies the permutation after each full block. Returns the number of bytes in the current
 * block. */
static inline uint8_t ascon_duplex(ascon_state *s, uint8_t taken, uint8_t *output,
                                   const uint8_t *input, size_t length, uint8_t direction)
{
    while (length-- != 0) {
        uint8_t *at = ascon_at(s, taken);
        const uint8_t in = *input++;
        const uint8_t sum = *at ^ in;

        if (direction != ASCON_ABSORB) {
            *output++ = sum;
        }
        *at = direction == ASCON_DECRYPT ? in : sum;
        taken++;
        if (taken == ASCON_RATE) {
            ascon_permute(s, ASCON_ROUNDS_B);
            taken = 0;
        }
    }
    return taken;
}

/* Adds the padding's first byte as byte `i` of the state. */
static inline void ascon_pad(ascon_state *s, uint8_t i)
{
    *ascon_at(s, i) ^= ASCON_BIG_ENDIAN ? 0x80 : 1;
}

/* Adds the bit that separates associated data from the message, the last of the state. */
static inline void ascon_separate(ascon_state *s)
{
    *ascon_at(s, 39) ^= ASCON_BIG_ENDIAN ? 1 : 0x80;
}

/* Writes `length` bytes of the state from byte `offset` on. */
static inline void ascon_output(const ascon_state *s, uint8_t offset, uint8_t *output,
                                uint8_t length)
{
    for (uint8_t i = 0; i < length; i++) {
        output[i] = s->bytes[ASCON_BIG_ENDIAN ? (offset + i) ^ 7 : offset + i];
    }
}

#endif
