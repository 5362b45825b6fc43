/*
 * PAEF and SAEF, the modes of ForkAE, for all members of ForkSkinny.
 *
 * References: E. Andreeva, V. Lallemand, A. Purnal, R. Reyhanitabar, A. Roy, D. Vizár, "ForkAE v1"
 * (submission to NIST's lightweight cryptography project, round 2, 2019), sections 2.3 and 4; same
 * names.
 *
 * "tweak.h" belongs to the mode: PAEF numbers the blocks in the tweak and adds their encryptions,
 * SAEF chains them; it also defines which inputs are too long. "api.h" gives the sizes; the tweak
 * has FORKAE_TWEAK_BYTES ("api.h"). The last block, full or partial, is encrypted differently from
 * the others, so there is no incremental API.
 */
#include "api.h"
#include "bytes.h"
#include "crypto_aead.h"
#include "forkskinny.h"
#include "secret.h"

enum { BLOCK = FORKSKINNY_BYTES };

typedef struct {
    forkskinny_schedule schedule;
    uint8_t tweak[FORKSKINNY_TWEAK_BYTES]; /* and zeros */
    uint8_t sum[BLOCK];                    /* PAEF: the sum of blocks; SAEF: the last one */
    uint8_t c1[BLOCK];
    size_t count; /* of blocks */
} forkae;

#include "tweak.h"

/* to += from. */
static void add(uint8_t *to, const uint8_t *from)
{
    for (uint8_t i = 0; i < BLOCK; i++) {
        to[i] ^= from[i];
    }
}

/* block = the next n bytes, padded if partial. */
static void pad(uint8_t *block, const uint8_t *bytes, uint8_t n)
{
    zero_bytes(block, BLOCK);
    copy_bytes(block, bytes, n);
    if (n != BLOCK) {
        block[n] = 0x80;
    }
}

/* Loads key and nonce, and absorbs the associated data. */
static void begin(forkae *s, const uint8_t *key, const uint8_t *nonce, const uint8_t *ad,
                  size_t length, uint8_t no_message)
{
    zero_bytes(s->sum, BLOCK);
    forkskinny_set_key(&s->schedule, key);
    zero_bytes(s->tweak, sizeof s->tweak);
    copy_bytes(s->tweak, nonce, CRYPTO_NPUBBYTES);
    begin_ad(s);
    while (length != 0 || no_message) {
        const uint8_t n = length < BLOCK ? (uint8_t)length : BLOCK;
        uint8_t block[BLOCK];

        length -= n;
        pad(block, ad, n);
        if (length != 0) { /* without any, NULL + 0 is not defined (C11, 6.5.6) */
            ad += n;
        }
        set_tweak(s, ad_flags(length == 0, n != BLOCK, no_message));
        forkskinny_set_tweak(&s->schedule, s->tweak);
#if FORKAE_CHAINED
        add(block, s->sum);
        forkskinny_encrypt(NULL, s->sum, block, &s->schedule);
#else
        forkskinny_encrypt(NULL, s->c1, block, &s->schedule);
        add(s->sum, s->c1);
#endif
        if (length == 0) {
            break;
        }
    }
    begin_message(s);
}

/* Returns -1 and writes nothing if the message or the associated data are too long for the mode. */
int crypto_aead_encrypt(unsigned char *c, unsigned long long *clen, const unsigned char *m,
                        unsigned long long mlen, const unsigned char *ad, unsigned long long adlen,
                        const unsigned char *nsec, const unsigned char *npub,
                        const unsigned char *k)
{
    size_t length = (size_t)mlen;
    forkae s;

    (void)nsec;
    *clen = 0;
    if (too_long(length) || too_long((size_t)adlen)) {
        return -1;
    }
    *clen = length + CRYPTO_ABYTES;
    begin(&s, k, npub, ad, (size_t)adlen, length == 0);
    if (length == 0) {
        copy_bytes(c, s.sum, BLOCK);
        return 0;
    }
    do {
        const uint8_t n = length < BLOCK ? (uint8_t)length : BLOCK;
        uint8_t block[BLOCK];

        length -= n;
        pad(block, m, n);
        set_tweak(&s, message_flags(length == 0, n != BLOCK));
        forkskinny_set_tweak(&s.schedule, s.tweak);
        if (FORKAE_CHAINED) {
            add(block, s.sum);
        }
        forkskinny_encrypt(block, s.c1, block, &s.schedule);
        if (FORKAE_CHAINED || length == 0) {
            add(block, s.sum);
        }
        if (FORKAE_CHAINED) {
            copy_bytes(s.sum, s.c1, BLOCK);
        } else {
            add(s.sum, s.c1);
        }
        copy_bytes(c, block, BLOCK);
        m += n;
        c += BLOCK;
        if (length == 0) { /* the tag is as long as the rest of the last block */
            copy_bytes(c, s.c1, n);
        }
    } while (length != 0);
    return 0;
}

/* On rejection, the output is zero throughout, or unchanged if an input is too long. */
int crypto_aead_decrypt(unsigned char *m, unsigned long long *mlen, unsigned char *nsec,
                        const unsigned char *c, unsigned long long clen, const unsigned char *ad,
                        unsigned long long adlen, const unsigned char *npub, const unsigned char *k)
{
    size_t length = (size_t)clen, all;
    uint8_t *const output = m;
    uint8_t expected[BLOCK], difference;
    forkae s;

    (void)nsec;
    *mlen = 0;
    if (length < CRYPTO_ABYTES) {
        return -1;
    }
    length -= CRYPTO_ABYTES;
    if (too_long(length) || too_long((size_t)adlen)) {
        return -1;
    }
    all = length;
    begin(&s, k, npub, ad, (size_t)adlen, length == 0);
    if (length == 0) {
        return compare_constant_time(s.sum, c, BLOCK);
    }
    for (;;) {
        const uint8_t n = length < BLOCK ? (uint8_t)length : BLOCK;
        uint8_t block[BLOCK];

        length -= n;
        copy_bytes(block, c, BLOCK);
        set_tweak(&s, message_flags(length == 0, n != BLOCK));
        forkskinny_set_tweak(&s.schedule, s.tweak);
        if (FORKAE_CHAINED || length == 0) {
            add(block, s.sum);
        }
        forkskinny_invert(block, s.c1, block, &s.schedule);
        if (FORKAE_CHAINED) {
            add(block, s.sum);
            copy_bytes(s.sum, s.c1, BLOCK);
        } else {
            add(s.sum, s.c1);
        }
        c += BLOCK;
        if (length == 0) { /* the rest of the block must be padding */
            pad(expected, block, n);
            difference = (uint8_t)(compare_constant_time(block, expected, BLOCK) |
                                   compare_constant_time(s.c1, c, n));
            copy_bytes(m, block, n);
            break;
        }
        copy_bytes(m, block, BLOCK);
        m += BLOCK;
    }
    if (difference != 0) {
        wipe(output, all);
        return -1;
    }
    *mlen = all;
    return 0;
}
