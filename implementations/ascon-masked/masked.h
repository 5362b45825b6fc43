/*
 * Ascon's state in shares: Boolean masking. Each word is the sum of MASKED_SHARES words.
 *
 * References: NIST SP 800-232 (2025), sections 3 and 4.1; Ascon v1.2 (2021), section 2.
 * Y. Ishai, A. Sahai, D. Wagner, "Private Circuits: Securing Hardware against Probing Attacks",
 * CRYPTO 2003: shares, and products of shared values with one random value for each pair of shares.
 *
 * The operations work share by share, except for products. C does not control which values share a
 * register or bus, so no claim about leakage is made.
 */
#ifndef PENNYWEIGHT_ASCON_MASKED_H
#define PENNYWEIGHT_ASCON_MASKED_H

#include <stddef.h>
#include <stdint.h>

#include "api.h"
#include "constants.h"
#include "native/native.h"
#include "pennyweight/random.h"
#include "rotate.h"
#include "unroll.h"
#include "word.h"

/* A word in shares. */
typedef struct {
    ascon_lane share[MASKED_SHARES];
} masked_lane;

typedef struct {
    masked_lane x[5];
} masked_state;

/* A key, as words in shares. */
typedef struct {
    masked_lane k[2];
} masked_key;

/* Applies the rounds from the one with `constant` to the last. */
void masked_permute(masked_state *s, unsigned constant);

/* A share with its bits where the first one has them: rotated back by MASKED_TURN. */
static inline ascon_lane masked_aligned(ascon_lane share)
{
#if MASKED_TURN
    return (ascon_lane){rotl32(share.even, MASKED_TURN), rotl32(share.odd, MASKED_TURN)};
#else
    return share;
#endif
}

/* Shares of the word `x`, random except for their sum. */
static inline masked_lane masked_split(ascon_lane x)
{
    masked_lane shares;

    UNROLL
    for (unsigned i = 1; i < MASKED_SHARES; i++) {
        const uint32_t first = pw_random32();
        const ascon_lane mask = {first, pw_random32()};

        shares.share[i] = mask;
        x = ascon_lane_xor(x, masked_aligned(mask));
    }
    shares.share[0] = x;
    return shares;
}

/* Random shares of zero, written one by one: unlike a copy on the stack, which a share of a secret
 * could overwrite later. */
static inline void masked_split_zero(masked_lane *shares)
{
    ascon_lane sum = {0, 0};

    UNROLL
    for (unsigned i = 1; i < MASKED_SHARES; i++) {
        const uint32_t first = pw_random32();
        const ascon_lane mask = {first, pw_random32()};

        shares->share[i] = mask;
        sum = ascon_lane_xor(sum, masked_aligned(mask));
    }
    shares->share[0] = sum;
}

/* Shares of a public word: itself and zeros. */
static inline masked_lane masked_public(ascon_lane x)
{
    masked_lane shares;

    shares.share[0] = x;
    UNROLL
    for (unsigned i = 1; i < MASKED_SHARES; i++) {
        shares.share[i] = (ascon_lane){0, 0};
    }
    return shares;
}

/* The word that these shares represent. */
static inline ascon_lane masked_combine(const masked_lane *x)
{
    ascon_lane sum = x->share[0];

    UNROLL
    for (unsigned i = 1; i < MASKED_SHARES; i++) {
        sum = ascon_lane_xor(sum, masked_aligned(x->share[i]));
    }
    return sum;
}

/* Adds a public word. */
static inline void masked_add(masked_lane *x, ascon_lane word)
{
    x->share[0] = ascon_lane_xor(x->share[0], word);
}

/* Adds the word of the 8 bytes at `bytes`. */
static inline void masked_add_bytes(masked_lane *x, const uint8_t *bytes)
{
#if MASKED_WHOLE_LANES
    ascon_lane_add_bytes(&x->share[0], bytes);
#else
    masked_add(x, ascon_lane_load(bytes));
#endif
}

/* Adds the padding's first byte as byte `i` of the state. */
static inline void masked_pad(masked_state *s, unsigned i)
{
    ascon_lane_pad(&s->x[i / 8].share[0], i % 8);
}

/* Adds the bit that separates associated data from the message, the last of the state. */
static inline void masked_separate(masked_state *s)
{
    ascon_lane_separate(&s->x[4].share[0]);
}

/* Writes `length` bytes, a multiple of 8, of the state from byte `offset`, a multiple of 8, on. */
static inline void masked_output(const masked_state *s, unsigned offset, uint8_t *output,
                                 unsigned length)
{
    for (unsigned i = 0; i < length; i += 8) {
        ascon_lane_store(output + i, masked_combine(&s->x[(offset + i) / 8]));
    }
}

/* Splits the key of 16 bytes. This is a function of another source so that its callers' registers
 * hold no word of the key afterwards, which they would save on the stack. */
void masked_set_key(masked_key *key, const uint8_t *bytes);

/* S = IV || K || N. */
static inline void masked_set_state(masked_state *s, const masked_key *key, const uint8_t *nonce)
{
    s->x[0] = masked_public(ascon_lane_of(ASCON_IV));
    s->x[1] = key->k[0];
    s->x[2] = key->k[1];
    s->x[3] = masked_public(ascon_lane_load(nonce));
    s->x[4] = masked_public(ascon_lane_load(nonce + 8));
}

/* Adds the key to the state from byte `offset`, a multiple of 8, on. */
static inline void masked_add_key(masked_state *s, const masked_key *key, unsigned offset)
{
    UNROLL
    for (unsigned i = 0; i < 2; i++) {
        masked_lane *x = &s->x[offset / 8 + i];

        UNROLL
        for (unsigned j = 0; j < MASKED_SHARES; j++) {
            x->share[j] = ascon_lane_xor(x->share[j], key->k[i].share[j]);
        }
    }
}

#endif
