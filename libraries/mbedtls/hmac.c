/* HMAC-SHA-256 of Mbed TLS (mbedtls/md.h) as SUPERCOP calls a MAC. */
#include "api.h"
#include "crypto_auth.h"
#include "mbedtls/md.h"

int crypto_auth(unsigned char *out, const unsigned char *in, unsigned long long inlen,
                const unsigned char *k)
{
    const mbedtls_md_info_t *sha256 = mbedtls_md_info_from_type(MBEDTLS_MD_SHA256);
    return mbedtls_md_hmac(sha256, k, CRYPTO_KEYBYTES, in, (size_t)inlen, out);
}

int crypto_auth_verify(const unsigned char *h, const unsigned char *in, unsigned long long inlen,
                       const unsigned char *k)
{
    unsigned char expected[CRYPTO_BYTES];
    unsigned char difference = 0;
    if (crypto_auth(expected, in, inlen, k) != 0) {
        return -1;
    }
    for (unsigned i = 0; i < CRYPTO_BYTES; i++) {
        difference |= expected[i] ^ h[i];
    }
    return difference == 0 ? 0 : -1;
}
