/* ChaCha20-Poly1305 of wolfCrypt (wolfssl/wolfcrypt/chacha20_poly1305.h) as SUPERCOP and NIST call
 * it. */
#include <wolfssl/wolfcrypt/chacha20_poly1305.h>

#include "crypto_aead.h"

int crypto_aead_encrypt(unsigned char *c, unsigned long long *clen, const unsigned char *m,
                        unsigned long long mlen, const unsigned char *ad, unsigned long long adlen,
                        const unsigned char *nsec, const unsigned char *npub,
                        const unsigned char *k)
{
    (void)nsec;
    *clen = mlen + 16;
    return wc_ChaCha20Poly1305_Encrypt(k, npub, ad, (word32)adlen, m, (word32)mlen, c, c + mlen) ==
                   0
               ? 0
               : -1;
}

int crypto_aead_decrypt(unsigned char *m, unsigned long long *mlen, unsigned char *nsec,
                        const unsigned char *c, unsigned long long clen, const unsigned char *ad,
                        unsigned long long adlen, const unsigned char *npub, const unsigned char *k)
{
    (void)nsec;
    if (clen < 16) {
        return -1;
    }
    const word32 length = (word32)(clen - 16);
    *mlen = length;
    return wc_ChaCha20Poly1305_Decrypt(k, npub, ad, (word32)adlen, c, length, c + length, m) == 0
               ? 0
               : -1;
}
