/*
 * A toy with the interface of an AEAD: 16 bytes each of key, nonce and tag. It protects nothing.
 *
 * Every byte goes into the state by a step that can be undone, so that a message and the same
 * message with one bit changed never have the same tag.
 *
 * The faulty packages define one of these before they include it:
 *   TOY_BEFORE_ENCRYPT, TOY_AFTER_ENCRYPT, TOY_BEFORE_DECRYPT   statements
 *   TOY_ABSORB_AD                                               0: associated data is ignored
 *   TOY_REJECT(mlen)                                            valid messages that are rejected
 *   TOY_WIPE                                                    0: plaintext stays on rejection
 *   TOY_OFFSET                                                  changes every answer
 *   TOY_SHORTEST                                                bytes of the shortest ciphertext
 *   TOY_COMPARE(sum, i, x)                                      adds the difference of byte i to sum
 */
#include "crypto_aead.h"

#ifndef TOY_BEFORE_ENCRYPT
#define TOY_BEFORE_ENCRYPT
#endif
#ifndef TOY_AFTER_ENCRYPT
#define TOY_AFTER_ENCRYPT
#endif
#ifndef TOY_BEFORE_DECRYPT
#define TOY_BEFORE_DECRYPT
#endif
#ifndef TOY_ABSORB_AD
#define TOY_ABSORB_AD 1
#endif
#ifndef TOY_REJECT
#define TOY_REJECT(mlen) 0
#endif
#ifndef TOY_WIPE
#define TOY_WIPE 1
#endif
#ifndef TOY_OFFSET
#define TOY_OFFSET 0
#endif
#ifndef TOY_SHORTEST
#define TOY_SHORTEST 16
#endif
#ifndef TOY_COMPARE
#define TOY_COMPARE(sum, i, x) ((sum) | (x))
#endif

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
        s[i] = (unsigned char)(k[i] + TOY_OFFSET);
    }
    for (i = 0; i < 16; i++) {
        toy_absorb(s, npub[i]);
    }
    for (i = 0; TOY_ABSORB_AD && i < adlen; i++) {
        toy_absorb(s, ad[i]);
    }
    toy_absorb(s, (unsigned char)(TOY_ABSORB_AD ? adlen : 0));
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
    TOY_BEFORE_ENCRYPT
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
    TOY_AFTER_ENCRYPT
    return 0;
}

int crypto_aead_decrypt(unsigned char *m, unsigned long long *mlen, unsigned char *nsec,
                        const unsigned char *c, unsigned long long clen, const unsigned char *ad,
                        unsigned long long adlen, const unsigned char *npub, const unsigned char *k)
{
    unsigned char s[16];
    unsigned long difference = 0;
    unsigned long long i;

    (void)nsec;
    TOY_BEFORE_DECRYPT
    if (clen < TOY_SHORTEST) {
        *mlen = 0;
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
        difference = TOY_COMPARE(difference, i, (unsigned long)(s[i] ^ c[*mlen + i]));
    }
    if (difference != 0 || TOY_REJECT(*mlen)) {
        for (i = 0; TOY_WIPE && i < *mlen; i++) {
            m[i] = 0;
        }
        return -1;
    }
    return 0;
}
