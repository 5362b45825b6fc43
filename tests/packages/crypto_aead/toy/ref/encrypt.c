/*
 * A toy with the interface of an AEAD, for tests. It protects nothing.
 */
#include "api.h"
#include "crypto_aead.h"

static void toy_absorb(unsigned char *s, unsigned char byte)
{
    unsigned char first = (unsigned char)((s[0] ^ byte) * 5 + s[15] + 1);
    int i;

    for (i = 0; i < 15; i++) {
        s[i] = s[i + 1];
    }
    s[15] = first;
}

static void toy_start(unsigned char *s, const unsigned char *k, const unsigned char *npub,
                      const unsigned char *ad, unsigned long long adlen)
{
    unsigned long long i;

    for (i = 0; i < 16; i++) {
        s[i] = k[i];
    }
    for (i = 0; i < 16; i++) {
        toy_absorb(s, npub[i]);
    }
    for (i = 0; i < adlen; i++) {
        toy_absorb(s, ad[i]);
    }
    toy_absorb(s, (unsigned char)adlen);
}

static void toy_end(unsigned char *s)
{
    int i;

    for (i = 0; i < 32; i++) {
        toy_absorb(s, 0x80);
    }
}

int crypto_aead_encrypt(unsigned char *c, unsigned long long *clen, const unsigned char *m,
                        unsigned long long mlen, const unsigned char *ad, unsigned long long adlen,
                        const unsigned char *nsec, const unsigned char *npub,
                        const unsigned char *k)
{
    unsigned char s[16];
    unsigned long long i;

    (void)nsec;
    toy_start(s, k, npub, ad, adlen);
    for (i = 0; i < mlen; i++) {
        c[i] = m[i] ^ s[7];
        toy_absorb(s, c[i]);
    }
    toy_end(s);
    for (i = 0; i < 16; i++) {
        c[mlen + i] = s[i];
    }
    *clen = mlen + 16;
    return 0;
}

int crypto_aead_decrypt(unsigned char *m, unsigned long long *mlen, unsigned char *nsec,
                        const unsigned char *c, unsigned long long clen, const unsigned char *ad,
                        unsigned long long adlen, const unsigned char *npub, const unsigned char *k)
{
    unsigned char s[16];
    unsigned char difference = 0;
    unsigned long long i;

    (void)nsec;
    *mlen = 0;
    if (clen < 16) {
        return -1;
    }
    toy_start(s, k, npub, ad, adlen);
    *mlen = clen - 16;
    for (i = 0; i < *mlen; i++) {
        unsigned char byte = c[i];

        m[i] = byte ^ s[7];
        toy_absorb(s, byte);
    }
    toy_end(s);
    for (i = 0; i < 16; i++) {
        difference |= (unsigned char)(s[i] ^ c[*mlen + i]);
    }
    if (difference != 0) {
        for (i = 0; i < *mlen; i++) {
            m[i] = 0;
        }
        return -1;
    }
    return 0;
}
