/*
 * AES-GCM on shares, for an IV of 96 bits.
 *
 * References: NIST SP 800-38D (2007), algorithms 3 (GCTR), 4 and 5; same names.
 *
 * Shared are the key and its schedule, all of AES, H, GHASH's sums and CIPH_K(J0). Counter blocks,
 * associated data, ciphertext, tag and the message itself are not: ciphertext is the message to
 * which the shares of the key stream are added, and the tag is the sum of the shares of GHASH and
 * of CIPH_K(J0).
 */
#include "aead_state.h"
#include "api.h"
#include "block128.h"
#include "bytes.h"
#include "order.h"
#include "secret.h"

const uint16_t aead_state_bytes = sizeof(aead_state);
const uint16_t aead_block_bytes = 16;

/* Public blocks: themselves and zeros. */
static void set_public(masked_blocks *blocks, const uint32_t *first, const uint32_t *second)
{
    for (unsigned i = 0; i < 4; i++) {
        blocks->share[0][i] = first[i];
        blocks->share[0][4 + i] = second[i];
        for (unsigned j = 1; j < MASKED_SHARES; j++) {
            blocks->share[j][i] = blocks->share[j][4 + i] = 0;
        }
    }
}

/* GCTR_K, from the counter block after state->counter: output = input ^ key stream. */
static void gctr(aead_state *state, uint8_t *output, const uint8_t *input, size_t length)
{
    while (length != 0) {
        const uint8_t used = length < 32 ? (uint8_t)length : 32;
        uint32_t first[4], data[8];
        masked_blocks stream;

        block_increment(state->counter, 4); /* inc_32 */
        block_copy(first, state->counter);
        if (used > 16) { /* the next call continues with this counter */
            block_increment(state->counter, 4);
        }
        set_public(&stream, first, state->counter);
        masked_encrypt(&state->cipher, &stream);
        copy_bytes((uint8_t *)data, input, used);
        for (unsigned i = 0; 4 * i < used; i++) {
            for (unsigned j = 0; j < MASKED_SHARES; j++) {
                data[i] ^= stream.share[j][i];
            }
        }
        copy_bytes(output, (const uint8_t *)data, used);
        output += used;
        input += used;
        length -= used;
    }
}

/* H = CIPH_K(0^128), and J0 = IV || 0^31 || 1 with CIPH_K(J0). */
void aead_init(aead_state *state, const uint8_t *key, const uint8_t *nonce)
{
    const uint32_t zero[4] = {0, 0, 0, 0};
    masked_blocks blocks;

    state->ad.blocks = state->message.blocks = 0;
    state->ad.rest = state->message.rest = 0;
    copy_bytes((uint8_t *)state->counter, nonce, 12);
    store32_be((uint8_t *)(state->counter + 3), 1);
    masked_expand_key(&state->cipher, key);
    set_public(&blocks, zero, state->counter);
    masked_encrypt(&state->cipher, &blocks);
    for (unsigned j = 0; j < MASKED_SHARES; j++) {
        ghash_init(&state->hash.share[j], (const uint8_t *)blocks.share[j]);
        block_copy(state->j0[j], blocks.share[j] + 4);
    }
}

void aead_ad(aead_state *state, const uint8_t *ad, size_t length)
{
    gcm_count(&state->ad, length);
    masked_ghash_update(&state->hash, ad, length);
}

void aead_encrypt(aead_state *state, uint8_t *ciphertext, const uint8_t *plaintext, size_t length)
{
    gcm_count(&state->message, length);
    gctr(state, ciphertext, plaintext, length);
    masked_ghash_update(&state->hash, ciphertext, length);
}

void aead_decrypt(aead_state *state, uint8_t *plaintext, const uint8_t *ciphertext, size_t length)
{
    gcm_count(&state->message, length);
    masked_ghash_update(&state->hash, ciphertext, length);
    gctr(state, plaintext, ciphertext, length);
}

/* T = GHASH_H(A || 0^v || C || 0^u || [len(A)]_64 || [len(C)]_64) ^ CIPH_K(J0). The shares of both
 * are added before those of the tag are combined. */
void aead_finalize(aead_state *state)
{
    uint32_t block[4];

    gcm_store_bits((uint8_t *)block, &state->ad);
    gcm_store_bits((uint8_t *)(block + 2), &state->message);
    masked_ghash_update(&state->hash, (const uint8_t *)block, sizeof block);
    for (unsigned j = 0; j < MASKED_SHARES; j++) {
        ghash_digest(&state->hash.share[j], (uint8_t *)block);
        block_add(state->j0[j], block);
    }
    block_copy(block, state->j0[0]);
    for (unsigned j = 1; j < MASKED_SHARES; j++) {
        block_add(block, state->j0[j]);
    }
    copy_bytes(state->tag, (const uint8_t *)block, sizeof state->tag);
}

void aead_tag(const aead_state *state, uint8_t *tag)
{
    copy_bytes(tag, state->tag, sizeof state->tag);
}

int aead_verify(const aead_state *state, const uint8_t *tag)
{
    return compare_constant_time(tag, state->tag, sizeof state->tag);
}
