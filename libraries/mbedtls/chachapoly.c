/* ChaCha20-Poly1305 of Mbed TLS (mbedtls/chachapoly.h), incremental and one-shot. */
#include <string.h>

#include "crypto_aead.h"
#include "mbedtls/chachapoly.h"
#include "pennyweight/aead.h"
#include "pennyweight/compare.h"

struct aead_state {
    mbedtls_chachapoly_context context;
    uint8_t tag[16];
};

const uint16_t aead_state_bytes = sizeof(aead_state);
const uint16_t aead_block_bytes = 1;

void aead_set_key(aead_state *state, const uint8_t *key)
{
    mbedtls_chachapoly_init(&state->context);
    (void)mbedtls_chachapoly_setkey(&state->context, key);
}

void aead_start(aead_state *state, const uint8_t *nonce)
{
    (void)mbedtls_chachapoly_starts(&state->context, nonce, MBEDTLS_CHACHAPOLY_ENCRYPT);
}

void aead_init(aead_state *state, const uint8_t *key, const uint8_t *nonce)
{
    aead_set_key(state, key);
    aead_start(state, nonce);
}

void aead_ad(aead_state *state, const uint8_t *ad, size_t length)
{
    (void)mbedtls_chachapoly_update_aad(&state->context, ad, length);
}

void aead_encrypt(aead_state *state, uint8_t *ciphertext, const uint8_t *plaintext, size_t length)
{
    (void)mbedtls_chachapoly_update(&state->context, length, plaintext, ciphertext);
}

/* Only the update function uses the direction, so it can be set until the first update. */
void aead_decrypt(aead_state *state, uint8_t *plaintext, const uint8_t *ciphertext, size_t length)
{
    state->context.mode = MBEDTLS_CHACHAPOLY_DECRYPT;
    (void)mbedtls_chachapoly_update(&state->context, length, ciphertext, plaintext);
}

void aead_finalize(aead_state *state)
{
    (void)mbedtls_chachapoly_finish(&state->context, state->tag);
}

void aead_tag(const aead_state *state, uint8_t *tag)
{
    memcpy(tag, state->tag, sizeof(state->tag));
}

int aead_verify(const aead_state *state, const uint8_t *tag)
{
    return pennyweight_compare(state->tag, tag, sizeof state->tag);
}

int crypto_aead_encrypt(unsigned char *c, unsigned long long *clen, const unsigned char *m,
                        unsigned long long mlen, const unsigned char *ad, unsigned long long adlen,
                        const unsigned char *nsec, const unsigned char *npub,
                        const unsigned char *k)
{
    mbedtls_chachapoly_context context;
    (void)nsec;
    mbedtls_chachapoly_init(&context);
    int failure = mbedtls_chachapoly_setkey(&context, k);
    if (failure == 0) {
        failure = mbedtls_chachapoly_encrypt_and_tag(&context, (size_t)mlen, npub, ad,
                                                     (size_t)adlen, m, c, c + mlen);
    }
    mbedtls_chachapoly_free(&context);
    *clen = mlen + 16;
    return failure == 0 ? 0 : -1;
}

int crypto_aead_decrypt(unsigned char *m, unsigned long long *mlen, unsigned char *nsec,
                        const unsigned char *c, unsigned long long clen, const unsigned char *ad,
                        unsigned long long adlen, const unsigned char *npub, const unsigned char *k)
{
    mbedtls_chachapoly_context context;
    (void)nsec;
    if (clen < 16) {
        return -1;
    }
    const size_t length = (size_t)(clen - 16);
    mbedtls_chachapoly_init(&context);
    int failure = mbedtls_chachapoly_setkey(&context, k);
    if (failure == 0) {
        failure = mbedtls_chachapoly_auth_decrypt(&context, length, npub, ad, (size_t)adlen,
                                                  c + length, c, m);
    }
    mbedtls_chachapoly_free(&context);
    *mlen = length;
    return failure == 0 ? 0 : -1;
}
