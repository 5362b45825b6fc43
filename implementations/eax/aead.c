/*
 * AES-EAX with a 128-bit tag. The nonce has 128 bits in all variants of the catalogue; sources
 * built with another size in "api.h", even 0, support it.
 *
 * References: M. Bellare, P. Rogaway, D. Wagner, "The EAX Mode of Operation", FSE 2004, sections 2
 * and 3; same names.
 *
 * "aes.h" is the representation that the implementation chose; see implementations/README.md for
 * its interface. Where AES encrypts two blocks at a time, every call uses both: the OMAC of a
 * ciphertext block is paired with the next block of key stream, OMAC^0(N) with the end of
 * OMAC^1(H).
 */
#include "aead_state.h"
#include "block128.h"
#include "inline.h"
#include "secret.h"

const uint16_t aead_state_bytes = sizeof(aead_state);
const uint16_t aead_block_bytes = 16;

#define X(state) (state)->blocks
#define S(state) ((state)->blocks + 4)

/* X = E_K(X), S = E_K(counter). */
static void encrypt_both(aead_state *state)
{
    block_copy(S(state), state->counter);
    aes_encrypt(&state->cipher, X(state));
#if AES_BLOCKS == 1
    aes_encrypt(&state->cipher, S(state));
#endif
}

/* X = [t]_n, t below 256. */
static void set_tweak(aead_state *state, uint8_t t)
{
    zero_bytes((uint8_t *)X(state), 15);
    ((uint8_t *)X(state))[15] = t;
}

/* Before E_K is applied for the last time: X += B, or P = 2 B if the last block was padded. */
static void add_last(aead_state *state)
{
    uint32_t p[4];

    if (state->partial) {
        block_double(p, state->b);
        block_add(X(state), p);
    } else {
        block_add(X(state), state->b);
    }
}

/* Records that a block of `length` bytes was added to X; pads it if it has fewer than 16. */
static void end_block(aead_state *state, uint8_t length)
{
    if (length != 16) {
        ((uint8_t *)X(state))[length] ^= 0x80;
        state->partial = 1;
    }
}

#if CRYPTO_NPUBBYTES != 16
/* OMAC^0(N) without the last E_K; S is L. */
static void begin_nonce(aead_state *state, const uint8_t *nonce)
{
    uint32_t block[4 * AES_BLOCKS];
    uint16_t left = CRYPTO_NPUBBYTES;

    zero_bytes((uint8_t *)block, sizeof block);
    if (left != 0) { /* E_K([0]) = L is the first block; else [0] is the only one */
        block_copy(block, S(state));
    }
    for (; left > 16; left = (uint16_t)(left - 16)) {
        block_add_bytes(block, nonce, 16);
        aes_encrypt(&state->cipher, block);
        nonce += 16;
    }
    block_copy(state->counter, state->b);
    if (left != 0) {
        block_add_bytes(block, nonce, (uint8_t)left);
    }
    if (left % 16 != 0) {
        ((uint8_t *)block)[left] ^= 0x80;
        block_double(state->counter, state->b);
    }
    block_add(state->counter, block);
}
#endif

/* L = E_K(0); where two blocks cost as much as one, also computes E_K([1]). */
void aead_init(aead_state *state, const uint8_t *key, const uint8_t *nonce)
{
    aes_expand_key(&state->cipher, key);
    zero_bytes((uint8_t *)S(state), 16);
    set_tweak(state, 1);
#if AES_BLOCKS == 1
    aes_encrypt(&state->cipher, S(state));
#else
    aes_encrypt(&state->cipher, X(state));
#endif
    block_double(state->b, S(state));
#if CRYPTO_NPUBBYTES == 16
    block_copy(state->counter, S(state)); /* E_K([0]) = L is the first block of OMAC^0(N) */
    block_add(state->counter, state->b);
    block_add_bytes(state->counter, nonce, 16);
#else
    begin_nonce(state, nonce);
#endif
    state->waiting = AES_BLOCKS == 1;
    state->partial = 0;
    state->message = 0;
}

void aead_ad(aead_state *state, const uint8_t *ad, size_t length)
{
    while (length != 0) {
        const uint8_t n = length < 16 ? (uint8_t)length : 16;

        if (state->waiting) {
            aes_encrypt(&state->cipher, X(state));
        }
        block_add_bytes(X(state), ad, n);
        end_block(state, n);
        state->waiting = 1;
        ad += n;
        length -= n;
    }
}

/* Ends the header: computes OMAC^1(H) and OMAC^0(N), begins OMAC^2(C). */
static void end_ad(aead_state *state)
{
    if (!state->waiting) { /* the header was empty, its only block is [1] */
        set_tweak(state, 1);
    }
    add_last(state);
    encrypt_both(state);
    block_copy(state->tag, X(state));
    block_add(state->tag, S(state));
    block_copy(state->counter, S(state));
    set_tweak(state, 2);
    state->partial = 0;
    state->message = 1;
}

/* output = input ^ key stream; the ciphertext, which is the output unless `decrypt` is set, enters
 * the OMAC. */
static void crypt(aead_state *state, uint8_t *output, const uint8_t *input, size_t length,
                  uint8_t decrypt)
{
    if (!state->message) {
        end_ad(state);
    }
    while (length != 0) {
        const uint8_t n = length < 16 ? (uint8_t)length : 16;

        encrypt_both(state);
        block_increment_secret(state->counter);
        block_crypt(X(state), output, input, S(state), n, !decrypt);
        end_block(state, n);
        output += n;
        input += n;
        length -= n;
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

/* T = OMAC^0(N) ^ OMAC^2(C) ^ OMAC^1(H). */
void aead_finalize(aead_state *state)
{
    if (!state->message) {
        end_ad(state);
    }
    add_last(state);
    aes_encrypt(&state->cipher, X(state));
    block_add(state->tag, X(state));
}

void aead_tag(const aead_state *state, uint8_t *tag)
{
    copy_bytes(tag, (const uint8_t *)state->tag, 16);
}

int aead_verify(const aead_state *state, const uint8_t *tag)
{
    return compare_constant_time(tag, (const uint8_t *)state->tag, 16);
}
