/*
 * ORANGE-Zest.
 *
 * References: B. Chakraborty, M. Nandi, "ORANGE" (submission to NIST's lightweight cryptography
 * project, round 2, 2019), section 2; same names.
 *
 * The last block, full or partial, is encrypted differently from the others, so there is no
 * incremental API.
 */
#include "api.h"
#include "bytes.h"
#include "crypto_aead.h"
#include "double128.h"
#include "photon256.h"
#include "secret.h"

enum { BLOCK = 32 };

#define HALF 16U

typedef struct {
    photon256_state u;
    uint8_t s[HALF]; /* S: the key, then the second half of the state before */
} orange;

/* Byte i of the state. */
static uint8_t *byte_at(orange *o, unsigned i)
{
    return photon256_byte(&o->u, (uint8_t)i);
}

/* Writes the second half of the state. */
static void get_second(uint8_t *half, orange *o)
{
    for (uint8_t i = 0; i < HALF; i++) {
        half[i] = *byte_at(o, HALF + i);
    }
}

/* The last block: multiplies the second half by alpha in GF(2^128), or by alpha^2 if the block is
 * partial. */
static void mark_last(orange *o, uint8_t partial)
{
    uint8_t half[HALF];

    get_second(half, o);
    double128(half);
    if (partial) {
        double128(half);
    }
    for (uint8_t i = 0; i < HALF; i++) {
        *byte_at(o, HALF + i) = half[i];
    }
}

/* Absorbs `length` > 0 bytes of associated data. */
static void absorb(orange *o, const uint8_t *ad, size_t length)
{
    for (;;) {
        const uint8_t n = length < BLOCK ? (uint8_t)length : BLOCK;

        length -= n;
        if (length == 0) {
            mark_last(o, n != BLOCK);
        }
        for (uint8_t i = 0; i < n; i++) {
            *byte_at(o, i) ^= *ad++;
        }
        if (n != BLOCK) {
            *byte_at(o, n) ^= 0x01;
        }
        if (length == 0) {
            return;
        }
        photon256_permute(&o->u);
    }
}

/* Encrypts or decrypts `length` > 0 bytes. The state absorbs the ciphertext. */
static void crypt(orange *o, uint8_t *output, const uint8_t *input, size_t length, uint8_t decrypt)
{
    for (;;) {
        const uint8_t n = length < BLOCK ? (uint8_t)length : BLOCK;
        uint8_t stream[BLOCK];
        uint8_t over;

        length -= n;
        if (length == 0) {
            mark_last(o, n != BLOCK);
        }
        /* rho: the first half rotated by a bit, the second plus alpha S */
        over = *byte_at(o, HALF - 1) >> 7;
        for (uint8_t i = 0; i < HALF; i++) {
            const uint8_t byte = *byte_at(o, i);

            stream[i] = (uint8_t)((unsigned)byte << 1 | over);
            over = byte >> 7;
        }
        get_second(stream + HALF, o);
        double128(o->s);
        for (uint8_t i = 0; i < HALF; i++) {
            const uint8_t byte = stream[HALF + i];

            stream[HALF + i] = byte ^ o->s[i];
            o->s[i] = byte;
        }
        for (uint8_t i = 0; i < n; i++) {
            const uint8_t in = *input++, out = in ^ stream[i];
            const uint8_t ciphertext = decrypt ? in : out;

            *output++ = out;
            *byte_at(o, i) ^= ciphertext;
        }
        if (n != BLOCK) {
            *byte_at(o, n) ^= 0x01;
        }
        if (length == 0) {
            return;
        }
        photon256_permute(&o->u);
    }
}

/* The whole mode; afterwards, the tag is the first half of the state. */
static void run(orange *o, uint8_t *output, const uint8_t *input, size_t length, const uint8_t *ad,
                size_t adlen, const uint8_t *nonce, const uint8_t *key, uint8_t decrypt)
{
    for (uint8_t i = 0; i < HALF; i++) {
        *byte_at(o, i) = nonce[i];
        *byte_at(o, HALF + i) = key[i];
        o->s[i] = key[i];
    }
    if (adlen == 0) {
        const uint8_t domain = length == 0 ? 0x02 : 0x01;

        *byte_at(o, HALF) ^= domain;
    }
    photon256_permute(&o->u);
    if (adlen == 0 && length == 0) {
        return;
    }
    if (adlen != 0) {
        absorb(o, ad, adlen);
        if (length != 0) {
            photon256_permute(&o->u);
        }
    }
    if (length != 0) {
        crypt(o, output, input, length, decrypt);
    }
    for (uint8_t i = 0; i < HALF; i++) {
        const uint8_t byte = *byte_at(o, i);

        *byte_at(o, i) = *byte_at(o, HALF + i);
        *byte_at(o, HALF + i) = byte;
    }
    photon256_permute(&o->u);
}

/* Writes the tag. */
static void get_tag(uint8_t *tag, orange *o)
{
    for (uint8_t i = 0; i < CRYPTO_ABYTES; i++) {
        tag[i] = *byte_at(o, i);
    }
}

int crypto_aead_encrypt(unsigned char *c, unsigned long long *clen, const unsigned char *m,
                        unsigned long long mlen, const unsigned char *ad, unsigned long long adlen,
                        const unsigned char *nsec, const unsigned char *npub,
                        const unsigned char *k)
{
    const size_t length = (size_t)mlen;
    orange o;

    (void)nsec;
    run(&o, c, m, length, ad, (size_t)adlen, npub, k, 0);
    get_tag(c + length, &o);
    *clen = length + CRYPTO_ABYTES;
    return 0;
}

/* On rejection, the output is zero throughout. */
int crypto_aead_decrypt(unsigned char *m, unsigned long long *mlen, unsigned char *nsec,
                        const unsigned char *c, unsigned long long clen, const unsigned char *ad,
                        unsigned long long adlen, const unsigned char *npub, const unsigned char *k)
{
    size_t length = (size_t)clen;
    uint8_t tag[CRYPTO_ABYTES];
    orange o;

    (void)nsec;
    *mlen = 0;
    if (length < CRYPTO_ABYTES) {
        return -1;
    }
    length -= CRYPTO_ABYTES;
    run(&o, m, c, length, ad, (size_t)adlen, npub, k, 1);
    get_tag(tag, &o);
    if (compare_constant_time(tag, c + length, CRYPTO_ABYTES) != 0) {
        wipe(m, length);
        return -1;
    }
    *mlen = length;
    return 0;
}
