/* AES-CCM of Mbed TLS (mbedtls/ccm.h) as SUPERCOP and NIST call it. */
#include "mbedtls/ccm.h"
#include "api.h"
#include "crypto_aead.h"
#include "memory.h"

int crypto_aead_encrypt(unsigned char *c, unsigned long long *clen, const unsigned char *m,
                        unsigned long long mlen, const unsigned char *ad, unsigned long long adlen,
                        const unsigned char *nsec, const unsigned char *npub,
                        const unsigned char *k)
{
    mbedtls_ccm_context context;
    (void)nsec;
    adapter_forget();
    mbedtls_ccm_init(&context);
    int failure =
        mbedtls_ccm_setkey(&context, MBEDTLS_CIPHER_ID_AES, k, 8 * (unsigned)CRYPTO_KEYBYTES);
    if (failure == 0) {
        failure = mbedtls_ccm_encrypt_and_tag(&context, (size_t)mlen, npub, CRYPTO_NPUBBYTES, ad,
                                              (size_t)adlen, m, c, c + mlen, CRYPTO_ABYTES);
    }
    mbedtls_ccm_free(&context);
    *clen = mlen + CRYPTO_ABYTES;
    return failure == 0 ? 0 : -1;
}

int crypto_aead_decrypt(unsigned char *m, unsigned long long *mlen, unsigned char *nsec,
                        const unsigned char *c, unsigned long long clen, const unsigned char *ad,
                        unsigned long long adlen, const unsigned char *npub, const unsigned char *k)
{
    mbedtls_ccm_context context;
    (void)nsec;
    if (clen < CRYPTO_ABYTES) {
        return -1;
    }
    const size_t length = (size_t)(clen - CRYPTO_ABYTES);
    adapter_forget();
    mbedtls_ccm_init(&context);
    int failure =
        mbedtls_ccm_setkey(&context, MBEDTLS_CIPHER_ID_AES, k, 8 * (unsigned)CRYPTO_KEYBYTES);
    if (failure == 0) {
        failure = mbedtls_ccm_auth_decrypt(&context, length, npub, CRYPTO_NPUBBYTES, ad,
                                           (size_t)adlen, c, m, c + length, CRYPTO_ABYTES);
    }
    mbedtls_ccm_free(&context);
    *mlen = length;
    return failure == 0 ? 0 : -1;
}
