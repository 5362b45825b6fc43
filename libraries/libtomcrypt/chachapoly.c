/* ChaCha20-Poly1305 of LibTomCrypt as SUPERCOP and NIST call it. */
#include "tomcrypt.h"

#include "crypto_aead.h"

int crypto_aead_encrypt(unsigned char *c, unsigned long long *clen, const unsigned char *m,
                        unsigned long long mlen, const unsigned char *ad, unsigned long long adlen,
                        const unsigned char *nsec, const unsigned char *npub,
                        const unsigned char *k)
{
    unsigned long size = 16;
    (void)nsec;
    *clen = mlen + 16;
    return chacha20poly1305_memory(k, 32, npub, 12, ad, (unsigned long)adlen, m,
                                   (unsigned long)mlen, c, c + mlen, &size,
                                   CHCHA20POLY1305_ENCRYPT) == CRYPT_OK
               ? 0
               : -1;
}

int crypto_aead_decrypt(unsigned char *m, unsigned long long *mlen, unsigned char *nsec,
                        const unsigned char *c, unsigned long long clen, const unsigned char *ad,
                        unsigned long long adlen, const unsigned char *npub, const unsigned char *k)
{
    unsigned char tag[16];
    unsigned long size = sizeof tag;
    (void)nsec;
    if (clen < 16) {
        return -1;
    }
    const unsigned long length = (unsigned long)(clen - 16);
    int failure = chacha20poly1305_memory(k, 32, npub, 12, ad, (unsigned long)adlen, c, length, m,
                                          tag, &size, CHCHA20POLY1305_DECRYPT);
    *mlen = length;
    if (failure == CRYPT_OK && XMEM_NEQ(tag, c + length, sizeof tag) == 0) {
        return 0;
    }
    zeromem(m, length);
    return -1;
}
