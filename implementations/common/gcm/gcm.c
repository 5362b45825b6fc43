/*
 * AES-GCM with a 96-bit nonce and a 128-bit tag.
 *
 * References: NIST SP 800-38D, "Recommendation for Block Cipher Modes of Operation:
 * Galois/Counter Mode (GCM) and GMAC" (2007), algorithms 3 (GCTR), 4 and 5; names as there.
 *
 * "aes.h" and "ghash.h" are the representations that the implementation chose; see
 * implementations/README.md for what they promise.
 */
#include <string.h>

#include "aead_state.h"
#include "bytes.h"
#include "secret.h"

const uint16_t aead_state_bytes = sizeof(aead_state);
const uint16_t aead_block_bytes = 16;

/* inc_32: adds one to the last 32 bits of a counter block, modulo 2^32. */
static void increment(uint8_t counter[16])
{
    store32_be(counter + 12, load32_be(counter + 12) + 1);
}

/* GCTR_K, from the counter block after state->counter: output = input ^ key stream. */
static void gctr(aead_state *state, uint8_t *output, const uint8_t *input, size_t length)
{
    uint8_t stream[16 * AES_BLOCKS];

    while (length != 0) {
        unsigned used = 0;

        /* Whole blocks only as far as the input goes, so that the next call finds its counter. */
        for (unsigned i = 0; i < sizeof stream; i += 16) {
            if (used < length) {
                increment(state->counter);
                used += 16;
            }
            memcpy(stream + i, state->counter, 16);
        }
        if (used > length) {
            used = (unsigned)length;
        }
        aes_encrypt(&state->cipher, stream);
        for (unsigned i = 0; i < used; i++) {
            output[i] = input[i] ^ stream[i];
        }
        output += used;
        input += used;
        length -= used;
    }
}

void aead_init(aead_state *state, const uint8_t *key, const uint8_t *nonce)
{
    uint8_t blocks[16 * AES_BLOCKS];

    aes_expand_key(&state->cipher, key);

    memcpy(state->counter, nonce, 12); /* J0 = IV || 0^31 || 1 */
    store32_be(state->counter + 12, 1);

    /* H = CIPH_K(0^128); where two blocks cost as much as one, CIPH_K(J0) comes with it. */
    memset(blocks, 0, 16);
#if AES_BLOCKS > 1
    memcpy(blocks + 16, state->counter, 16);
#endif
    aes_encrypt(&state->cipher, blocks);
    ghash_init(&state->hash, blocks);
#if AES_BLOCKS > 1
    memcpy(state->tag, blocks + 16, 16);
#else
    memcpy(state->tag, state->counter, 16);
    aes_encrypt(&state->cipher, state->tag);
#endif
    state->ad_bytes = 0;
    state->message_bytes = 0;
}

void aead_ad(aead_state *state, const uint8_t *ad, size_t length)
{
    state->ad_bytes += length;
    ghash_update(&state->hash, ad, length);
}

void aead_encrypt(aead_state *state, uint8_t *ciphertext, const uint8_t *plaintext, size_t length)
{
    state->message_bytes += length;
    gctr(state, ciphertext, plaintext, length);
    ghash_update(&state->hash, ciphertext, length);
}

void aead_decrypt(aead_state *state, uint8_t *plaintext, const uint8_t *ciphertext, size_t length)
{
    state->message_bytes += length;
    ghash_update(&state->hash, ciphertext, length);
    gctr(state, plaintext, ciphertext, length);
}

/* T = GHASH_H(A || 0^v || C || 0^u || [len(A)]_64 || [len(C)]_64) ^ CIPH_K(J0). */
void aead_finalize(aead_state *state)
{
    uint8_t block[16];

    store64_be(block, state->ad_bytes * 8);
    store64_be(block + 8, state->message_bytes * 8);
    ghash_update(&state->hash, block, sizeof block);
    ghash_digest(&state->hash, block);
    for (unsigned i = 0; i < sizeof block; i++) {
        state->tag[i] ^= block[i];
    }
}

void aead_tag(const aead_state *state, uint8_t *tag)
{
    memcpy(tag, state->tag, 16);
}

int aead_verify(const aead_state *state, const uint8_t *tag)
{
    return compare_constant_time(tag, state->tag, 16);
}
