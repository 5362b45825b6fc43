/* AES-GCM of Mbed TLS (mbedtls/gcm.h), incremental and one-shot. */
#include "mbedtls/gcm.h"

#include <string.h>

#include "api.h"
#include "crypto_aead.h"
#include "memory.h"
#include "pennyweight/aead.h"
#include "pennyweight/compare.h"

struct aead_state {
    mbedtls_gcm_context context;
    uint8_t nonce[CRYPTO_NPUBBYTES];
    uint8_t started;
    uint8_t tag[CRYPTO_ABYTES];
};

const uint16_t aead_state_bytes = sizeof(aead_state);
/* Takes associated data in one call, and messages in whole blocks until the last call. */
const uint16_t aead_block_bytes = 0x8000;

static int set_key(mbedtls_gcm_context *context, const uint8_t *key)
{
    adapter_forget();
    mbedtls_gcm_init(context);
    return mbedtls_gcm_setkey(context, MBEDTLS_CIPHER_ID_AES, key, 8 * (unsigned)CRYPTO_KEYBYTES);
}

void aead_set_key(aead_state *state, const uint8_t *key)
{
    (void)set_key(&state->context, key);
}

/* mbedtls_gcm_starts takes nonce and associated data together. */
void aead_start(aead_state *state, const uint8_t *nonce)
{
    memcpy(state->nonce, nonce, sizeof state->nonce);
    state->started = 0;
}

void aead_init(aead_state *state, const uint8_t *key, const uint8_t *nonce)
{
    aead_set_key(state, key);
    aead_start(state, nonce);
}

void aead_ad(aead_state *state, const uint8_t *ad, size_t length)
{
    state->started = 1;
    (void)mbedtls_gcm_starts(&state->context, MBEDTLS_GCM_ENCRYPT, state->nonce,
                             sizeof state->nonce, ad, length);
}

static void start_without_ad(aead_state *state)
{
    if (!state->started) {
        aead_ad(state, NULL, 0);
    }
}

void aead_encrypt(aead_state *state, uint8_t *ciphertext, const uint8_t *plaintext, size_t length)
{
    start_without_ad(state);
    (void)mbedtls_gcm_update(&state->context, length, plaintext, ciphertext);
}

/* Only the update function uses the direction, so it can be set until the first update. */
void aead_decrypt(aead_state *state, uint8_t *plaintext, const uint8_t *ciphertext, size_t length)
{
    start_without_ad(state);
    state->context.mode = MBEDTLS_GCM_DECRYPT;
    (void)mbedtls_gcm_update(&state->context, length, ciphertext, plaintext);
}

void aead_finalize(aead_state *state)
{
    start_without_ad(state);
    (void)mbedtls_gcm_finish(&state->context, state->tag, sizeof state->tag);
}

void aead_tag(const aead_state *state, uint8_t *tag)
{
    memcpy(tag, state->tag, sizeof state->tag);
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
    mbedtls_gcm_context context;
    (void)nsec;
    int failure = set_key(&context, k);
    if (failure == 0) {
        failure = mbedtls_gcm_crypt_and_tag(&context, MBEDTLS_GCM_ENCRYPT, (size_t)mlen, npub,
                                            CRYPTO_NPUBBYTES, ad, (size_t)adlen, m, c,
                                            CRYPTO_ABYTES, c + mlen);
    }
    mbedtls_gcm_free(&context);
    *clen = mlen + CRYPTO_ABYTES;
    return failure == 0 ? 0 : -1;
}

int crypto_aead_decrypt(unsigned char *m, unsigned long long *mlen, unsigned char *nsec,
                        const unsigned char *c, unsigned long long clen, const unsigned char *ad,
                        unsigned long long adlen, const unsigned char *npub, const unsigned char *k)
{
    mbedtls_gcm_context context;
    (void)nsec;
    if (clen < CRYPTO_ABYTES) {
        return -1;
    }
    const size_t length = (size_t)(clen - CRYPTO_ABYTES);
    int failure = set_key(&context, k);
    if (failure == 0) {
        failure = mbedtls_gcm_auth_decrypt(&context, length, npub, CRYPTO_NPUBBYTES, ad,
                                           (size_t)adlen, c + length, CRYPTO_ABYTES, c, m);
    }
    mbedtls_gcm_free(&context);
    *mlen = length;
    return failure == 0 ? 0 : -1;
}
