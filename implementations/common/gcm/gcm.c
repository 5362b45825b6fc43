/*
 * AES-GCM with a 96-bit nonce and a 128-bit tag.
 *
 * References: NIST SP 800-38D, "Recommendation for Block Cipher Modes of Operation:
 * Galois/Counter Mode (GCM) and GMAC" (2007), algorithms 3 (GCTR), 4 and 5; names as there.
 *
 * "aes.h" and "ghash.h" are the representations that the implementation chose; see
 * implementations/README.md for what they promise.
 */
#include "aead_state.h"
#include "bytes.h"
#include "inline.h"
#include "secret.h"

const uint16_t aead_state_bytes = sizeof(aead_state);
const uint16_t aead_block_bytes = 16;

/* inc_32: adds one to the last 32 bits of a counter block, modulo 2^32. */
static void increment(uint8_t counter[16])
{
    for (uint8_t i = 15; i >= 12; i--) {
        if (++counter[i] != 0) {
            break;
        }
    }
}

/* GCTR_K, from the counter block after state->counter: output = input ^ key stream. */
NEVER_INLINE void gctr(aead_state *state, uint8_t *output, const uint8_t *input, size_t length)
{
    uint8_t stream[16 * AES_BLOCKS];

    while (length != 0) {
        const uint8_t used = length < sizeof stream ? (uint8_t)length : sizeof stream;

        /* Counters only as far as the input goes, so that the next call finds its own. */
        for (uint8_t i = 0; i < used; i = (uint8_t)(i + 16)) {
            increment(state->counter);
            copy_bytes(stream + i, state->counter, 16);
        }
        aes_encrypt(&state->cipher, stream);
        for (uint8_t i = 0; i < used; i++) {
            *output++ = *input++ ^ stream[i];
        }
        length -= used;
    }
}

void aead_init(aead_state *state, const uint8_t *key, const uint8_t *nonce)
{
    uint8_t blocks[16 * AES_BLOCKS];

    state->ad.blocks = state->message.blocks = 0;
    state->ad.rest = state->message.rest = 0;
    aes_expand_key(&state->cipher, key);

    copy_bytes(state->counter, nonce, 12); /* J0 = IV || 0^31 || 1 */
    store32_be(state->counter + 12, 1);

    /* H = CIPH_K(0^128); where two blocks cost as much as one, CIPH_K(J0) comes with it. */
    zero_bytes(blocks, 16);
#if AES_BLOCKS > 1
    copy_bytes(blocks + 16, state->counter, 16);
    aes_encrypt(&state->cipher, blocks);
    copy_bytes(state->tag, blocks + 16, 16);
#else
    aes_encrypt(&state->cipher, blocks);
    copy_bytes(state->tag, state->counter, 16);
    aes_encrypt(&state->cipher, state->tag);
#endif
    ghash_init(&state->hash, blocks);
}

/* Adds `length` bytes to `total`. */
static void count(gcm_length *total, size_t length)
{
    total->blocks += (uint32_t)(length / 16);
    total->rest = (uint8_t)(total->rest + length % 16);
}

void aead_ad(aead_state *state, const uint8_t *ad, size_t length)
{
    count(&state->ad, length);
    ghash_update(&state->hash, ad, length);
}

void aead_encrypt(aead_state *state, uint8_t *ciphertext, const uint8_t *plaintext, size_t length)
{
    count(&state->message, length);
    gctr(state, ciphertext, plaintext, length);
    ghash_update(&state->hash, ciphertext, length);
}

void aead_decrypt(aead_state *state, uint8_t *plaintext, const uint8_t *ciphertext, size_t length)
{
    count(&state->message, length);
    ghash_update(&state->hash, ciphertext, length);
    gctr(state, plaintext, ciphertext, length);
}

/* [length in bits]_64. */
static void store_bits(uint8_t bytes[8], const gcm_length *length)
{
    store32_be(bytes, length->blocks >> 25);
    store32_be(bytes + 4, length->blocks << 7 | (uint32_t)length->rest << 3);
}

/* T = GHASH_H(A || 0^v || C || 0^u || [len(A)]_64 || [len(C)]_64) ^ CIPH_K(J0). */
void aead_finalize(aead_state *state)
{
    uint8_t block[16];

    store_bits(block, &state->ad);
    store_bits(block + 8, &state->message);
    ghash_update(&state->hash, block, sizeof block);
    ghash_digest(&state->hash, block);
    for (uint8_t i = 0; i < sizeof block; i++) {
        state->tag[i] ^= block[i];
    }
}

void aead_tag(const aead_state *state, uint8_t *tag)
{
    copy_bytes(tag, state->tag, 16);
}

int aead_verify(const aead_state *state, const uint8_t *tag)
{
    return compare_constant_time(tag, state->tag, 16);
}
