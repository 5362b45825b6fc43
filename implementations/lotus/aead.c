/*
 * LOTUS-AEAD and LOCUS-AEAD: all but the encryption of messages.
 *
 * References: A. Chakraborti, N. Datta, A. Jha, C. Mancillas Lopez, M. Nandi, Y. Sasaki,
 * "LOTUS-AEAD and LOCUS-AEAD" (submission to NIST's lightweight cryptography project, round 2,
 * 2019), section 3; same names.
 */
#include "api.h"
#include "bytes.h"
#include "crypto_aead.h"
#include "double128.h"
#include "lotus.h"
#include "secret.h"
#include "tweak_code.h"

/* Tweaks. */
enum {
    MASK = 1,
    AD = 2,
    PARTIAL_AD = 3,
    TAG = 6,
};

void lotus_encrypt(const lotus *s, uint8_t *block, uint8_t tweak)
{
    twegift64_block slices;

    twegift64_load(&slices, block);
    twegift64_encrypt(&slices, s->l, tweak_code(tweak));
    twegift64_store(block, &slices);
}

void lotus_next_key(lotus *s)
{
    double128(s->l);
}

void lotus_add(uint8_t *to, const uint8_t *from)
{
    for (uint8_t i = 0; i < LOTUS_BLOCK; i++) {
        to[i] ^= from[i];
    }
}

void lotus_begin(lotus *s, const uint8_t *key, const uint8_t *nonce, const uint8_t *ad,
                 size_t length)
{
    zero_bytes(s->delta, LOTUS_BLOCK);
    zero_bytes(s->sum, LOTUS_BLOCK);
    copy_bytes(s->l, key, 16);
    lotus_encrypt(s, s->delta, 0);
    for (uint8_t i = 0; i < 16; i++) {
        s->l[i] ^= nonce[i];
    }
    lotus_encrypt(s, s->delta, MASK);
    while (length != 0) {
        const uint8_t n = length < LOTUS_BLOCK ? (uint8_t)length : LOTUS_BLOCK;
        uint8_t block[LOTUS_BLOCK] = {0};

        copy_bytes(block, ad, n);
        if (n != LOTUS_BLOCK) {
            block[n] = 0x01;
        }
        lotus_add(block, s->delta);
        lotus_next_key(s);
        lotus_encrypt(s, block, n == LOTUS_BLOCK ? AD : PARTIAL_AD);
        lotus_add(s->sum, block);
        ad += n;
        length -= n;
    }
}

void lotus_end(lotus *s)
{
    lotus_next_key(s);
    lotus_add(s->sum, s->delta);
    lotus_encrypt(s, s->sum, TAG);
    lotus_add(s->sum, s->delta);
}

int crypto_aead_encrypt(unsigned char *c, unsigned long long *clen, const unsigned char *m,
                        unsigned long long mlen, const unsigned char *ad, unsigned long long adlen,
                        const unsigned char *nsec, const unsigned char *npub,
                        const unsigned char *k)
{
    const size_t length = (size_t)mlen;
    lotus s;

    (void)nsec;
    lotus_begin(&s, k, npub, ad, (size_t)adlen);
    if (length != 0) {
        lotus_crypt(&s, c, m, length, 0);
    }
    lotus_end(&s);
    copy_bytes(c + length, s.sum, CRYPTO_ABYTES);
    *clen = length + CRYPTO_ABYTES;
    return 0;
}

/* On rejection, the output is zero throughout. */
int crypto_aead_decrypt(unsigned char *m, unsigned long long *mlen, unsigned char *nsec,
                        const unsigned char *c, unsigned long long clen, const unsigned char *ad,
                        unsigned long long adlen, const unsigned char *npub, const unsigned char *k)
{
    size_t length = (size_t)clen;
    lotus s;

    (void)nsec;
    *mlen = 0;
    if (length < CRYPTO_ABYTES) {
        return -1;
    }
    length -= CRYPTO_ABYTES;
    lotus_begin(&s, k, npub, ad, (size_t)adlen);
    if (length != 0) {
        lotus_crypt(&s, m, c, length, 1);
    }
    lotus_end(&s);
    if (compare_constant_time(s.sum, c + length, CRYPTO_ABYTES) != 0) {
        wipe(m, length);
        return -1;
    }
    *mlen = length;
    return 0;
}
