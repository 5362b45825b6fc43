/* HMAC-SHA-256 of Mbed TLS (mbedtls/md.h), incremental and one-shot. */
#include "mbedtls/md.h"

#include <string.h>

#include "api.h"
#include "crypto_auth.h"
#include "memory.h"
#include "pennyweight/compare.h"
#include "pennyweight/mac.h"

struct mac_state {
    mbedtls_md_context_t context;
    uint8_t tag[CRYPTO_BYTES];
};

const uint16_t mac_state_bytes = sizeof(mac_state);

void mac_set_key(mac_state *state, const uint8_t *key)
{
    adapter_forget();
    mbedtls_md_init(&state->context);
    (void)mbedtls_md_setup(&state->context, mbedtls_md_info_from_type(MBEDTLS_MD_SHA256), 1);
    (void)mbedtls_md_hmac_starts(&state->context, key, CRYPTO_KEYBYTES);
}

/* No nonce follows the key. */
void mac_start(mac_state *state, const uint8_t *key)
{
    (void)key;
    (void)mbedtls_md_hmac_reset(&state->context);
}

/* mbedtls_md_hmac_starts has already started a message. */
void mac_init(mac_state *state, const uint8_t *key)
{
    mac_set_key(state, key);
}

void mac_update(mac_state *state, const uint8_t *message, size_t length)
{
    (void)mbedtls_md_hmac_update(&state->context, message, length);
}

void mac_finalize(mac_state *state)
{
    (void)mbedtls_md_hmac_finish(&state->context, state->tag);
}

void mac_tag(const mac_state *state, uint8_t *tag)
{
    memcpy(tag, state->tag, sizeof state->tag);
}

int mac_verify(const mac_state *state, const uint8_t *tag)
{
    return pennyweight_compare(state->tag, tag, sizeof state->tag);
}

int crypto_auth(unsigned char *out, const unsigned char *in, unsigned long long inlen,
                const unsigned char *k)
{
    const mbedtls_md_info_t *sha256 = mbedtls_md_info_from_type(MBEDTLS_MD_SHA256);
    adapter_forget();
    return mbedtls_md_hmac(sha256, k, CRYPTO_KEYBYTES, in, (size_t)inlen, out);
}

int crypto_auth_verify(const unsigned char *h, const unsigned char *in, unsigned long long inlen,
                       const unsigned char *k)
{
    unsigned char expected[CRYPTO_BYTES];
    if (crypto_auth(expected, in, inlen, k) != 0) {
        return -1;
    }
    return pennyweight_compare(expected, h, CRYPTO_BYTES);
}
