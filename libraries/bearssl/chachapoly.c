/* ChaCha20-Poly1305 of BearSSL (bearssl_block.h) as SUPERCOP and NIST call it; POLY1305 is the
 * representation that the library's file chooses. BearSSL works in place. */
#include <string.h>

#include "bearssl.h"
#include "choice.h"
#include "crypto_aead.h"
#include "pennyweight/compare.h"

int crypto_aead_encrypt(unsigned char *c, unsigned long long *clen, const unsigned char *m,
                        unsigned long long mlen, const unsigned char *ad, unsigned long long adlen,
                        const unsigned char *nsec, const unsigned char *npub,
                        const unsigned char *k)
{
    (void)nsec;
    memmove(c, m, (size_t)mlen);
    POLY1305(k, npub, c, (size_t)mlen, ad, (size_t)adlen, c + mlen, &br_chacha20_ct_run, 1);
    *clen = mlen + 16;
    return 0;
}

int crypto_aead_decrypt(unsigned char *m, unsigned long long *mlen, unsigned char *nsec,
                        const unsigned char *c, unsigned long long clen, const unsigned char *ad,
                        unsigned long long adlen, const unsigned char *npub, const unsigned char *k)
{
    unsigned char expected[16], tag[16];
    (void)nsec;
    if (clen < 16) {
        return -1;
    }
    const size_t length = (size_t)(clen - 16);
    memcpy(tag, c + length, sizeof tag);
    memmove(m, c, length);
    POLY1305(k, npub, m, length, ad, (size_t)adlen, expected, &br_chacha20_ct_run, 0);
    *mlen = length;
    if (pennyweight_compare(expected, tag, sizeof tag) != 0) {
        memset(m, 0, length);
        return -1;
    }
    return 0;
}
