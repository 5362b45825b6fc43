/* ChaCha20-Poly1305 of RFC 8439 by Monocypher (monocypher.h) as SUPERCOP and NIST call it. */
#include "crypto_aead.h"
#include "monocypher.h"

int crypto_aead_encrypt(unsigned char *c, unsigned long long *clen, const unsigned char *m,
                        unsigned long long mlen, const unsigned char *ad, unsigned long long adlen,
                        const unsigned char *nsec, const unsigned char *npub,
                        const unsigned char *k)
{
    crypto_aead_ctx context;
    (void)nsec;
    crypto_aead_init_ietf(&context, k, npub);
    crypto_aead_write(&context, c, c + mlen, ad, (size_t)adlen, m, (size_t)mlen);
    crypto_wipe(&context, sizeof context);
    *clen = mlen + 16;
    return 0;
}

int crypto_aead_decrypt(unsigned char *m, unsigned long long *mlen, unsigned char *nsec,
                        const unsigned char *c, unsigned long long clen, const unsigned char *ad,
                        unsigned long long adlen, const unsigned char *npub, const unsigned char *k)
{
    crypto_aead_ctx context;
    (void)nsec;
    if (clen < 16) {
        return -1;
    }
    const size_t length = (size_t)(clen - 16);
    crypto_aead_init_ietf(&context, k, npub);
    const int failure = crypto_aead_read(&context, m, c + length, ad, (size_t)adlen, c, length);
    crypto_wipe(&context, sizeof context);
    *mlen = length;
    return failure == 0 ? 0 : -1;
}
