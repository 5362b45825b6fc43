/* AES-GCM of wolfCrypt (wolfssl/wolfcrypt/aes.h) as SUPERCOP and NIST call it. */
#include <wolfssl/wolfcrypt/aes.h>

#include "api.h"
#include "crypto_aead.h"

int crypto_aead_encrypt(unsigned char *c, unsigned long long *clen, const unsigned char *m,
                        unsigned long long mlen, const unsigned char *ad, unsigned long long adlen,
                        const unsigned char *nsec, const unsigned char *npub,
                        const unsigned char *k)
{
    Aes aes;
    (void)nsec;
    int failure = wc_AesInit(&aes, NULL, INVALID_DEVID);
    if (failure == 0) {
        failure = wc_AesGcmSetKey(&aes, k, CRYPTO_KEYBYTES);
    }
    if (failure == 0) {
        failure = wc_AesGcmEncrypt(&aes, c, m, (word32)mlen, npub, CRYPTO_NPUBBYTES, c + mlen,
                                   CRYPTO_ABYTES, ad, (word32)adlen);
    }
    wc_AesFree(&aes);
    *clen = mlen + CRYPTO_ABYTES;
    return failure == 0 ? 0 : -1;
}

int crypto_aead_decrypt(unsigned char *m, unsigned long long *mlen, unsigned char *nsec,
                        const unsigned char *c, unsigned long long clen, const unsigned char *ad,
                        unsigned long long adlen, const unsigned char *npub, const unsigned char *k)
{
    Aes aes;
    (void)nsec;
    if (clen < CRYPTO_ABYTES) {
        return -1;
    }
    const word32 length = (word32)(clen - CRYPTO_ABYTES);
    int failure = wc_AesInit(&aes, NULL, INVALID_DEVID);
    if (failure == 0) {
        failure = wc_AesGcmSetKey(&aes, k, CRYPTO_KEYBYTES);
    }
    if (failure == 0) {
        failure = wc_AesGcmDecrypt(&aes, m, c, length, npub, CRYPTO_NPUBBYTES, c + length,
                                   CRYPTO_ABYTES, ad, (word32)adlen);
    }
    wc_AesFree(&aes);
    *mlen = length;
    return failure == 0 ? 0 : -1;
}
