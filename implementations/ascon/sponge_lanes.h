/*
 * Data in and out of Ascon's state, a word at a time, for representations that do not store a word
 * as its bytes.
 *
 * References: NIST SP 800-232 (2025), section 4.1 and appendix A; Ascon v1.2 (2021), section 2.4.
 *
 * The representation defines ascon_lane and the functions ascon_lane_of, _load, _store, _xor,
 * _pad and _middle; see halves32/permutation.h.
 */
#ifndef PENNYWEIGHT_ASCON_SPONGE_H
#define PENNYWEIGHT_ASCON_SPONGE_H

#include <stddef.h>

#include "direction.h"
#include "native/native.h"

#ifdef ASCON_MASKED_ENDS
#include "keyed.h"
#endif

/* The state of words x0 to x4, constants. */
static inline ascon_state ascon_state_of(uint64_t x0, uint64_t x1, uint64_t x2, uint64_t x3,
                                         uint64_t x4)
{
    return (ascon_state){{ascon_lane_of(x0), ascon_lane_of(x1), ascon_lane_of(x2),
                          ascon_lane_of(x3), ascon_lane_of(x4)}};
}

/* Absorbs ASCON_RATE bytes of input. */
static inline void ascon_block(ascon_state *s, uint8_t *output, const uint8_t *input,
                               unsigned direction)
{
    for (unsigned i = 0; i < ASCON_RATE / 8; i++) {
        const ascon_lane in = ascon_lane_load(input + 8 * i);
        const ascon_lane sum = ascon_lane_xor(s->x[i], in);

        if (direction != ASCON_ABSORB) {
            ascon_lane_store(output + 8 * i, sum);
        }
        s->x[i] = direction == ASCON_DECRYPT ? in : sum;
    }
}

/* Absorbs `length` bytes of input as bytes `first` to `first + length - 1` of the state. */
static inline void ascon_bytes(ascon_state *s, unsigned first, uint8_t *output,
                               const uint8_t *input, unsigned length, unsigned direction)
{
    uint8_t block[8];

    for (unsigned i = 0; i < length; i++) {
        const unsigned j = (first + i) % 8;
        ascon_lane *x = &s->x[(first + i) / 8];

        if (i == 0 || j == 0) {
            ascon_lane_store(block, *x);
        }
        const uint8_t in = input[i];
        const uint8_t sum = block[j] ^ in;
        if (direction != ASCON_ABSORB) {
            output[i] = sum;
        }
        block[j] = direction == ASCON_DECRYPT ? in : sum;
        if (i + 1 == length || j == 7) {
            *x = ascon_lane_load(block);
        }
    }
}

#if ASCON_NATIVE_BLOCKS
/* Whether the assembly accepts these addresses. `output` may be NULL. */
static inline int ascon_native_aligned(const uint8_t *output, const uint8_t *input)
{
    return (((uintptr_t)output | (uintptr_t)input) & (ASCON_NATIVE_ALIGNMENT - 1)) == 0;
}

/* Absorbs full blocks and applies the permutation after each. */
static inline void ascon_native_blocks(ascon_state *s, uint8_t *output, const uint8_t *input,
                                       size_t blocks, unsigned direction)
{
    (void)output; /* in hashes */
    if (direction == ASCON_ABSORB) {
        ascon_absorb_blocks(s, NULL, input, blocks);
    }
#ifdef ASCON_KEY_BYTES
    else if (direction == ASCON_ENCRYPT) {
        ascon_encrypt_blocks(s, output, input, blocks);
    } else {
        ascon_decrypt_blocks(s, output, input, blocks);
    }
#endif
}
#endif

/* Absorbs `length` bytes of input into the state, whose current block has `taken` bytes so far, and
 * applies the permutation after each full block. Returns the number of bytes in the current
 * block. */
static inline unsigned ascon_duplex(ascon_state *s, unsigned taken, uint8_t *output,
                                    const uint8_t *input, size_t length, unsigned direction)
{
#if ASCON_NATIVE_BLOCKS
    const size_t whole =
        taken == 0 && ascon_native_aligned(output, input) ? length / ASCON_RATE : 0;

    if (whole != 0) {
        ascon_native_blocks(s, output, input, whole, direction);
        if (direction != ASCON_ABSORB) {
            output += whole * ASCON_RATE;
        }
        input += whole * ASCON_RATE;
        length -= whole * ASCON_RATE;
    }
#endif
    while (length >= ASCON_RATE - taken) {
        const unsigned n = ASCON_RATE - taken;

        if (taken == 0) {
            ascon_block(s, output, input, direction);
        } else {
            ascon_bytes(s, taken, output, input, n, direction);
        }
        ascon_permute(s, ASCON_ROUNDS_B);
        if (direction != ASCON_ABSORB) {
            output += n;
        }
        input += n;
        length -= n;
        taken = 0;
    }
    ascon_bytes(s, taken, output, input, (unsigned)length, direction);
    return taken + (unsigned)length;
}

/* Adds the padding's first byte as byte `i` of the state. */
static inline void ascon_pad(ascon_state *s, unsigned i)
{
    ascon_lane_pad(&s->x[i / 8], i % 8);
}

/* Writes `length` bytes, a multiple of 8, of the state from byte `offset`, a multiple of 8, on. */
static inline void ascon_output(const ascon_state *s, unsigned offset, uint8_t *output,
                                unsigned length)
{
    for (unsigned i = 0; i < length; i += 8) {
        ascon_lane_store(output + i, s->x[(offset + i) / 8]);
    }
}

#ifdef ASCON_KEY_BYTES

#if ASCON_KEYED

/* Initialization, except for IV in x[0] of the state: sets `k` to the key and the rest of the state
 * to key and nonce, permutes and adds the key. */
void ascon_initialize(ascon_state *s, ascon_key *k, const uint8_t *key, const uint8_t *nonce);

/* Finalization of a padded state: adds the key, permutes and adds the key. x[3] and x[4] become the
 * bytes of the tag, the other words are undefined. */
void ascon_finalize(ascon_state *s, const ascon_key *k);

#elif ASCON_KEY_BYTES == 16

/* A key, as words. */
typedef struct {
    ascon_lane k[2];
} ascon_key;

/* Sets the key to ASCON_KEY_BYTES bytes. */
static inline void ascon_set_key(ascon_key *key, const uint8_t *bytes)
{
    key->k[0] = ascon_lane_load(bytes);
    key->k[1] = ascon_lane_load(bytes + 8);
}

/* S = IV || K || N. */
static inline void ascon_set_state(ascon_state *s, const ascon_key *key, const uint8_t *nonce)
{
    s->x[0] = ascon_lane_of(ASCON_IV);
    s->x[1] = key->k[0];
    s->x[2] = key->k[1];
    s->x[3] = ascon_lane_load(nonce);
    s->x[4] = ascon_lane_load(nonce + 8);
}

/* Adds the key to the state from byte `offset`, a multiple of 8, on. */
static inline void ascon_add_key(ascon_state *s, const ascon_key *key, unsigned offset)
{
    ascon_lane *x = s->x + offset / 8;

    x[0] = ascon_lane_xor(x[0], key->k[0]);
    x[1] = ascon_lane_xor(x[1], key->k[1]);
}

#else

/* A key of 20 bytes, as words; the lower half of the last one is 0. */
typedef struct {
    ascon_lane k[3];
} ascon_key;

/* Sets the key to ASCON_KEY_BYTES bytes. */
static inline void ascon_set_key(ascon_key *key, const uint8_t *bytes)
{
    uint8_t last[8];

    copy_bytes(last, bytes + 16, 4);
    zero_bytes(last + 4, 4);
    key->k[0] = ascon_lane_load(bytes);
    key->k[1] = ascon_lane_load(bytes + 8);
    key->k[2] = ascon_lane_load(last);
}

/* Adds the key to the state from byte `offset`, a multiple of 4, on. */
static inline void ascon_add_key(ascon_state *s, const ascon_key *key, unsigned offset)
{
    ascon_lane *x = s->x + offset / 8;
    ascon_lane before = ascon_lane_of(0);

    for (unsigned i = 0; i < 3; i++) {
        const ascon_lane k = key->k[i];

        x[i] = ascon_lane_xor(x[i], offset % 8 == 0 ? k : ascon_lane_middle(before, k));
        before = k;
    }
}

/* S = IV || K || N. */
static inline void ascon_set_state(ascon_state *s, const ascon_key *key, const uint8_t *nonce)
{
    *s = ascon_state_of(ASCON_IV, 0, 0, 0, 0);
    ascon_add_key(s, key, 24 - ASCON_KEY_BYTES);
    s->x[3] = ascon_lane_load(nonce);
    s->x[4] = ascon_lane_load(nonce + 8);
}

#endif
#endif

#ifdef ASCON_INITIAL
/* S = the state of a hash after initialization. */
static inline void ascon_set_hash_state(ascon_state *s)
{
    *s = ascon_state_of(ASCON_INITIAL);
}
#endif

#endif
