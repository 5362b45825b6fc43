/*
 * AES-GCM. The IV has 96 bits, and the tag 128, in all variants of the catalogue; sources built
 * with other sizes in "api.h" accept any IV of whole bytes and output the first bytes of the tag.
 *
 * References: NIST SP 800-38D, "Recommendation for Block Cipher Modes of Operation:
 * Galois/Counter Mode (GCM) and GMAC" (2007), algorithms 3 (GCTR), 4 and 5; same names.
 *
 * "aes.h" and "ghash.h" are the representations that the implementation chose; see
 * implementations/README.md for their interfaces. Blocks are arrays of words only for alignment;
 * their bytes are in memory order.
 */
#include "aead_state.h"
#include "block128.h"
#include "bytes.h"
#include "inline.h"
#include "order.h"
#include "secret.h"

const uint16_t aead_state_bytes = sizeof(aead_state);
const uint16_t aead_block_bytes = 16;

/* output = input ^ stream, `length` bytes. */
NEVER_INLINE void add_stream(uint8_t *output, const uint8_t *input, const uint32_t *stream,
                             uint8_t length)
{
    const uint8_t *byte;

#if BLOCK_WORDS
    for (; length >= 4; length = (uint8_t)(length - 4)) {
        store32_le(output, load32_le(input) ^ little_endian32(*stream++));
        output += 4;
        input += 4;
    }
#endif
    for (byte = (const uint8_t *)stream; length != 0; length--) {
        *output++ = *input++ ^ *byte++;
    }
}

/* GCTR_K, from the counter block after state->counter: output = input ^ key stream. */
NEVER_INLINE void gctr(aead_state *state, uint8_t *output, const uint8_t *input, size_t length)
{
    uint32_t stream[4 * AES_BLOCKS];

    while (length != 0) {
        const uint8_t used = length < sizeof stream ? (uint8_t)length : sizeof stream;

        /* Uses only as many counters as the input needs; the next call continues. */
        for (uint8_t i = 0; i < AES_BLOCKS; i++) {
            if (16 * i < used) {
                block_increment(state->counter, 4); /* inc_32 */
            }
            block_copy(stream + 4 * i, state->counter);
        }
        aes_encrypt(&state->cipher, stream);
        add_stream(output, input, stream, used);
        output += used;
        input += used;
        length -= used;
    }
}

/* Nothing processed; J0 = IV || 0^31 || 1, or of an IV of another length
 * J0 = GHASH_H(IV || 0^(s + 64) || [len(IV)]_64), for which H must be known. */
static inline void begin(aead_state *state, const uint8_t *nonce)
{
    state->ad.blocks = state->message.blocks = 0;
    state->ad.rest = state->message.rest = 0;
#if GCM_IV_BYTES == 12
    copy_bytes((uint8_t *)state->counter, nonce, 12);
    store32_be((uint8_t *)(state->counter + 3), 1);
#else
    ghash_state hash = state->hash;
    uint32_t block[4];

    zero_bytes((uint8_t *)block, 12);
    store32_be((uint8_t *)(block + 3), UINT32_C(8) * GCM_IV_BYTES);
    ghash_update(&hash, nonce, GCM_IV_BYTES);
    ghash_update(&hash, (const uint8_t *)block, sizeof block);
    ghash_digest(&hash, (uint8_t *)state->counter);
#endif
}

#if GCM_IV_BYTES == 12
void aead_init(aead_state *state, const uint8_t *key, const uint8_t *nonce)
{
    uint32_t blocks[4 * AES_BLOCKS];

    aes_expand_key(&state->cipher, key);
    begin(state, nonce);

    /* H = CIPH_K(0^128); where two blocks cost as much as one, also computes CIPH_K(J0). */
    blocks[0] = blocks[1] = blocks[2] = blocks[3] = 0;
#if AES_BLOCKS > 1
    block_copy(blocks + 4, state->counter);
    aes_encrypt(&state->cipher, blocks);
    block_copy(state->tag, blocks + 4);
#else
    aes_encrypt(&state->cipher, blocks);
    block_copy(state->tag, state->counter);
    aes_encrypt(&state->cipher, state->tag);
#endif
    ghash_init(&state->hash, (const uint8_t *)blocks);
}
#endif

/* The key schedule, H, and GHASH's precomputation from H. */
void aead_set_key(aead_state *state, const uint8_t *key)
{
    uint32_t blocks[4 * AES_BLOCKS];

    aes_expand_key(&state->cipher, key);
    zero_bytes((uint8_t *)blocks, sizeof blocks);
    aes_encrypt(&state->cipher, blocks);
    ghash_init(&state->hash, (const uint8_t *)blocks);
}

/* CIPH_K(J0). */
void aead_start(aead_state *state, const uint8_t *nonce)
{
    uint32_t blocks[4 * AES_BLOCKS];

    begin(state, nonce);
    zero_bytes((uint8_t *)blocks, sizeof blocks);
    block_copy(blocks, state->counter);
    aes_encrypt(&state->cipher, blocks);
    block_copy(state->tag, blocks);
}

#if GCM_IV_BYTES != 12
void aead_init(aead_state *state, const uint8_t *key, const uint8_t *nonce)
{
    aead_set_key(state, key);
    aead_start(state, nonce);
}
#endif

void aead_ad(aead_state *state, const uint8_t *ad, size_t length)
{
    gcm_count(&state->ad, length);
    ghash_update(&state->hash, ad, length);
}

void aead_encrypt(aead_state *state, uint8_t *ciphertext, const uint8_t *plaintext, size_t length)
{
    gcm_count(&state->message, length);
    gctr(state, ciphertext, plaintext, length);
    ghash_update(&state->hash, ciphertext, length);
}

void aead_decrypt(aead_state *state, uint8_t *plaintext, const uint8_t *ciphertext, size_t length)
{
    gcm_count(&state->message, length);
    ghash_update(&state->hash, ciphertext, length);
    gctr(state, plaintext, ciphertext, length);
}

/* T = GHASH_H(A || 0^v || C || 0^u || [len(A)]_64 || [len(C)]_64) ^ CIPH_K(J0). */
void aead_finalize(aead_state *state)
{
    uint32_t block[4];

    gcm_store_bits((uint8_t *)block, &state->ad);
    gcm_store_bits((uint8_t *)(block + 2), &state->message);
    ghash_update(&state->hash, (const uint8_t *)block, sizeof block);
    ghash_digest(&state->hash, (uint8_t *)block);
    add_stream((uint8_t *)state->tag, (const uint8_t *)state->tag, block, sizeof block);
}

void aead_tag(const aead_state *state, uint8_t *tag)
{
    copy_bytes(tag, (const uint8_t *)state->tag, GCM_TAG_BYTES);
}

int aead_verify(const aead_state *state, const uint8_t *tag)
{
    return compare_constant_time(tag, (const uint8_t *)state->tag, GCM_TAG_BYTES);
}
