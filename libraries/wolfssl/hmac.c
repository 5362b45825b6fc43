/* HMAC-SHA-256 of wolfCrypt (wolfssl/wolfcrypt/hmac.h) as SUPERCOP calls a MAC. */
#include <wolfssl/wolfcrypt/hmac.h>

#include "api.h"
#include "crypto_auth.h"
#include "pennyweight/compare.h"

int crypto_auth(unsigned char *out, const unsigned char *in, unsigned long long inlen,
                const unsigned char *k)
{
    Hmac state;
    int failure = wc_HmacInit(&state, NULL, INVALID_DEVID);
    if (failure == 0) {
        failure = wc_HmacSetKey(&state, WC_SHA256, k, CRYPTO_KEYBYTES);
    }
    if (failure == 0) {
        failure = wc_HmacUpdate(&state, in, (word32)inlen);
    }
    if (failure == 0) {
        failure = wc_HmacFinal(&state, out);
    }
    wc_HmacFree(&state);
    return failure == 0 ? 0 : -1;
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
