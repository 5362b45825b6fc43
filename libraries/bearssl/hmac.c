/* HMAC-SHA-256 of BearSSL (bearssl_hmac.h) as SUPERCOP calls a MAC. */
#include "api.h"
#include "bearssl.h"
#include "crypto_auth.h"
#include "pennyweight/compare.h"

int crypto_auth(unsigned char *out, const unsigned char *in, unsigned long long inlen,
                const unsigned char *k)
{
    br_hmac_key_context key;
    br_hmac_context context;
    br_hmac_key_init(&key, &br_sha256_vtable, k, CRYPTO_KEYBYTES);
    br_hmac_init(&context, &key, CRYPTO_BYTES);
    br_hmac_update(&context, in, (size_t)inlen);
    br_hmac_out(&context, out);
    return 0;
}

int crypto_auth_verify(const unsigned char *h, const unsigned char *in, unsigned long long inlen,
                       const unsigned char *k)
{
    unsigned char expected[CRYPTO_BYTES];
    (void)crypto_auth(expected, in, inlen, k);
    return pennyweight_compare(expected, h, CRYPTO_BYTES);
}
