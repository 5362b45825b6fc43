/*
 * Pyjamask-AEAD: OCB over Pyjamask.
 *
 * References: D. Goudarzi, J. Jean, S. Kölbl, T. Peyrin, M. Rivain, Y. Sasaki, S. M. Sim, "Pyjamask
 * v1.0" (submission to NIST's lightweight cryptography project, round 2, 2019), section 3; RFC 7253
 * for OCB; same names.
 */
#include "aead_state.h"
#include "api.h"
#include "bytes.h"
#include "secret.h"

enum { BLOCK = PYJAMASK_BYTES };

const uint16_t aead_state_bytes = sizeof(aead_state);
const uint16_t aead_block_bytes = BLOCK;

/* to += from, a block. */
static void add(uint8_t *to, const uint8_t *from)
{
    for (uint8_t i = 0; i < BLOCK; i++) {
        to[i] ^= from[i];
    }
}

/* Doubles in GF(2^128) or, modulo x^96 + x^10 + x^9 + x^6 + 1, GF(2^96). */
static void twice(uint8_t block[BLOCK])
{
    const uint8_t carry = (uint8_t)(0 - (block[0] >> 7));

    for (uint8_t i = 0; i < BLOCK - 1; i++) {
        block[i] = (uint8_t)((unsigned)block[i] << 1 | block[i + 1] >> 7);
    }
#if PYJAMASK_ROWS == 3
    block[BLOCK - 2] = (uint8_t)(block[BLOCK - 2] ^ (carry & 0x06));
    block[BLOCK - 1] = (uint8_t)((unsigned)block[BLOCK - 1] << 1 ^ (carry & 0x41));
#else
    block[BLOCK - 1] = (uint8_t)((unsigned)block[BLOCK - 1] << 1 ^ (carry & 0x87));
#endif
}

/* Offset += L_ntz(i), where i is the number of the block, from 1 on: L_* doubled ntz(i) + 2 times.
 */
static void add_l(const aead_state *state, uint8_t *offset, uint32_t i)
{
    uint8_t l[BLOCK];

    copy_bytes(l, state->l_star, BLOCK);
    twice(l);
    twice(l);
    for (; (i & 1) == 0; i >>= 1) {
        twice(l);
    }
    add(offset, l);
}

/* Offset_0 of the message: the stretched encryption of the nonce's upper bits, shifted by its lower
 * six. */
static void set_offset(aead_state *state, const uint8_t *nonce)
{
    uint8_t stretch[BLOCK + 8];
    uint8_t bottom, bits;

    zero_bytes(stretch, BLOCK);
    stretch[0] = (uint8_t)(8 * CRYPTO_ABYTES % 128 << 1);
    stretch[BLOCK - CRYPTO_NPUBBYTES - 1] |= 1;
    copy_bytes(stretch + BLOCK - CRYPTO_NPUBBYTES, nonce, CRYPTO_NPUBBYTES);
    bottom = stretch[BLOCK - 1] & 0x3f;
    stretch[BLOCK - 1] &= 0xc0;
    pyjamask_encrypt(&state->key, stretch);
    for (uint8_t i = 0; i < 8; i++) {
#if PYJAMASK_ROWS == 3
        const uint8_t shifted =
            (uint8_t)((unsigned)stretch[i + 1] << 1 | stretch[i + 2] >> 7); /* by 9 bits */
#else
        const uint8_t shifted = stretch[i + 1];
#endif

        stretch[BLOCK + i] = stretch[i] ^ shifted;
    }
    bits = bottom & 7;
    bottom >>= 3;
    for (uint8_t i = 0; i < BLOCK; i++) {
        const unsigned pair = (unsigned)stretch[i + bottom] << 8 | stretch[i + bottom + 1];

        state->offset[i] = (uint8_t)(pair << bits >> 8);
    }
}

void aead_init(aead_state *state, const uint8_t *key, const uint8_t *nonce)
{
    pyjamask_set_key(&state->key, key);
    zero_bytes(state->l_star, BLOCK);
    pyjamask_encrypt(&state->key, state->l_star);
    set_offset(state, nonce);
    zero_bytes(state->ad_offset, BLOCK);
    zero_bytes(state->sum, BLOCK);
    zero_bytes(state->checksum, BLOCK);
    state->ad_blocks = 1;
    state->blocks = 1;
}

void aead_ad(aead_state *state, const uint8_t *ad, size_t length)
{
    while (length != 0) {
        const uint8_t n = length < BLOCK ? (uint8_t)length : BLOCK;
        uint8_t block[BLOCK] = {0};

        copy_bytes(block, ad, n);
        if (n == BLOCK) {
            add_l(state, state->ad_offset, state->ad_blocks++);
        } else {
            block[n] = 0x80;
            add(state->ad_offset, state->l_star);
        }
        add(block, state->ad_offset);
        pyjamask_encrypt(&state->key, block);
        add(state->sum, block);
        ad += n;
        length -= n;
    }
}

/* Encrypts `length` bytes, or decrypts them if `decrypt` is not 0. */
static void crypt(aead_state *state, uint8_t *output, const uint8_t *input, size_t length,
                  uint8_t decrypt)
{
    uint8_t block[BLOCK];

    for (; length >= BLOCK; length -= BLOCK) {
        add_l(state, state->offset, state->blocks++);
        copy_bytes(block, input, BLOCK);
        if (decrypt) {
            add(block, state->offset);
            pyjamask_decrypt(&state->key, block);
            add(block, state->offset);
            add(state->checksum, block);
        } else {
            add(state->checksum, block);
            add(block, state->offset);
            pyjamask_encrypt(&state->key, block);
            add(block, state->offset);
        }
        copy_bytes(output, block, BLOCK);
        input += BLOCK;
        output += BLOCK;
    }
    if (length != 0) {
        add(state->offset, state->l_star);
        copy_bytes(block, state->offset, BLOCK);
        pyjamask_encrypt(&state->key, block);
        for (uint8_t i = 0; i < (uint8_t)length; i++) {
            const uint8_t in = input[i], out = in ^ block[i];

            state->checksum[i] ^= (uint8_t)(decrypt ? out : in);
            output[i] = out;
        }
        state->checksum[length] ^= 0x80;
    }
}

void aead_encrypt(aead_state *state, uint8_t *ciphertext, const uint8_t *plaintext, size_t length)
{
    crypt(state, ciphertext, plaintext, length, 0);
}

void aead_decrypt(aead_state *state, uint8_t *plaintext, const uint8_t *ciphertext, size_t length)
{
    crypt(state, plaintext, ciphertext, length, 1);
}

/* Tag = E_K(Checksum + Offset + L_$) + Sum. */
void aead_finalize(aead_state *state)
{
    twice(state->l_star);
    add(state->checksum, state->offset);
    add(state->checksum, state->l_star);
    pyjamask_encrypt(&state->key, state->checksum);
    add(state->sum, state->checksum);
}

void aead_tag(const aead_state *state, uint8_t *tag)
{
    copy_bytes(tag, state->sum, CRYPTO_ABYTES);
}

int aead_verify(const aead_state *state, const uint8_t *tag)
{
    return compare_constant_time(state->sum, tag, CRYPTO_ABYTES);
}
