/* AES-GCM of Mbed TLS (mbedtls/gcm.h) as SUPERCOP and NIST call it. */
#include "mbedtls/gcm.h"
#include "api.h"
#include "crypto_aead.h"

int crypto_aead_encrypt(unsigned char *c, unsigned long long *clen, const unsigned char *m,
                        unsigned long long mlen, const unsigned char *ad, unsigned long long adlen,
                        const unsigned char *nsec, const unsigned char *npub,
                        const unsigned char *k)
{
    mbedtls_gcm_context context;
    (void)nsec;
    mbedtls_gcm_init(&context);
    int failure =
        mbedtls_gcm_setkey(&context, MBEDTLS_CIPHER_ID_AES, k, 8 * (unsigned)CRYPTO_KEYBYTES);
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
    mbedtls_gcm_init(&context);
    int failure =
        mbedtls_gcm_setkey(&context, MBEDTLS_CIPHER_ID_AES, k, 8 * (unsigned)CRYPTO_KEYBYTES);
    if (failure == 0) {
        failure = mbedtls_gcm_auth_decrypt(&context, length, npub, CRYPTO_NPUBBYTES, ad,
                                           (size_t)adlen, c + length, CRYPTO_ABYTES, c, m);
    }
    mbedtls_gcm_free(&context);
    *mlen = length;
    return failure == 0 ? 0 : -1;
}
