/*
 * Romulus-M.
 *
 * References: "Romulus v1.3" (2021), section 2.4 (see romulus.h); same names.
 *
 * The tag of associated data and message comes first, and the message is encrypted under it, so
 * there is no incremental form.
 */
#include "api.h"
#include "crypto_aead.h"
#include "romulus.h"
#include "secret.h"

enum {
    DOMAIN_MESSAGE = 0x24,
    DOMAIN_AD = 0x28,
    DOMAIN_AUTHENTICATED = 0x2c, /* blocks of the message that enter the tag */
    DOMAIN_LAST = 0x30,          /* with further bits, see last_blocks */
};

typedef struct {
    skinny128_schedule schedule;
    uint8_t s[ROMULUS_BLOCK]; /* S */
    romulus_tk1 tk1;
    uint8_t odd; /* whether the next block is added to the state, or is a tweakey */
} context;

/* Absorbs all blocks of `length` bytes, and an empty block for no bytes if `empty` is 1. */
static void absorb(context *x, const uint8_t *bytes, size_t length, uint8_t domain, uint8_t empty)
{
    while (length != 0 || empty != 0) {
        const uint8_t n = length < ROMULUS_BLOCK ? (uint8_t)length : ROMULUS_BLOCK;

        if (x->odd) {
            romulus_absorb(x->s, bytes, n);
        } else {
            uint8_t tk2[ROMULUS_BLOCK];

            romulus_pad(tk2, bytes, n);
            skinny128_set_tk2(&x->schedule, tk2);
            romulus_encrypt(&x->schedule, &x->tk1, domain, x->s);
        }
        romulus_count(&x->tk1);
        x->odd ^= 1;
        length -= n;
        if (length != 0) { /* without any, NULL + 0 is not defined (C11, 6.5.6) */
            bytes += n;
        }
        empty = 0;
    }
}

/* The bits that a string adds to the domain of the last encryption: 2 if its number of blocks is
 * even, and 1/2 if the last one is partial or missing; times `bit` * 2. */
static uint8_t last_blocks(size_t length, uint8_t bit)
{
    const uint8_t rest = length % (2 * ROMULUS_BLOCK);
    uint8_t domain = 0;

    if (length != 0 && (rest == 0 || rest > ROMULUS_BLOCK)) {
        domain = (uint8_t)(4 * bit);
    }
    if (length == 0 || rest % ROMULUS_BLOCK != 0) {
        domain |= bit;
    }
    return domain;
}

/* The tag of associated data and message. */
static void authenticate(context *x, uint8_t *tag, const uint8_t *ad, size_t adlen,
                         const uint8_t *m, size_t mlen, const uint8_t *nonce)
{
    const uint8_t domain = DOMAIN_LAST ^ last_blocks(adlen, 2) ^ last_blocks(mlen, 1);

    for (uint8_t i = 0; i < ROMULUS_BLOCK; i++) {
        x->s[i] = 0;
    }
    x->odd = 1;
    romulus_reset(&x->tk1);
    absorb(x, ad, adlen, DOMAIN_AD, 0);
    if (adlen == 0) {
        romulus_count(&x->tk1);
        x->odd = 0;
    }
    if (x->odd && mlen == 0) {
        romulus_count(&x->tk1);
    }
    absorb(x, m, mlen, DOMAIN_AUTHENTICATED, x->odd ^ 1);
    skinny128_set_tk2(&x->schedule, nonce);
    romulus_encrypt(&x->schedule, &x->tk1, domain, x->s);
    romulus_g(tag, x->s);
}

/* Encrypts the message, or decrypts it if `inverse` is not 0, under its tag and the nonce (in the
 * schedule). */
static void crypt(context *x, uint8_t *output, const uint8_t *input, size_t length,
                  const uint8_t *tag, uint8_t inverse)
{
    for (uint8_t i = 0; i < ROMULUS_BLOCK; i++) {
        x->s[i] = tag[i];
    }
    romulus_reset(&x->tk1);
    while (length != 0) {
        const uint8_t n = length < ROMULUS_BLOCK ? (uint8_t)length : ROMULUS_BLOCK;

        romulus_encrypt(&x->schedule, &x->tk1, DOMAIN_MESSAGE, x->s);
        romulus_rho(x->s, output, input, n, inverse);
        romulus_count(&x->tk1);
        output += n;
        input += n;
        length -= n;
    }
}

int crypto_aead_encrypt(unsigned char *c, unsigned long long *clen, const unsigned char *m,
                        unsigned long long mlen, const unsigned char *ad, unsigned long long adlen,
                        const unsigned char *nsec, const unsigned char *npub,
                        const unsigned char *k)
{
    const size_t length = (size_t)mlen;
    uint8_t tag[CRYPTO_ABYTES];
    context x;

    (void)nsec;
    *clen = length + CRYPTO_ABYTES;
    skinny128_set_key(&x.schedule, k);
    authenticate(&x, tag, ad, (size_t)adlen, m, length, npub);
    crypt(&x, c, m, length, tag, 0);
    for (uint8_t i = 0; i < CRYPTO_ABYTES; i++) {
        c[length + i] = tag[i];
    }
    return 0;
}

/* On rejection, the output is zero throughout. */
int crypto_aead_decrypt(unsigned char *m, unsigned long long *mlen, unsigned char *nsec,
                        const unsigned char *c, unsigned long long clen, const unsigned char *ad,
                        unsigned long long adlen, const unsigned char *npub, const unsigned char *k)
{
    size_t length = (size_t)clen;
    uint8_t tag[CRYPTO_ABYTES];
    context x;

    (void)nsec;
    *mlen = 0;
    if (length < CRYPTO_ABYTES) {
        return -1;
    }
    length -= CRYPTO_ABYTES;
    skinny128_set_key(&x.schedule, k);
    skinny128_set_tk2(&x.schedule, npub);
    crypt(&x, m, c, length, c + length, 1);
    authenticate(&x, tag, ad, (size_t)adlen, m, length, npub);
    if (compare_constant_time(tag, c + length, CRYPTO_ABYTES) != 0) {
        wipe(m, length);
        return -1;
    }
    *mlen = length;
    return 0;
}
