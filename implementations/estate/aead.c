/*
 * ESTATE and sESTATE, for all tweakable block ciphers.
 *
 * References: A. Chakraborti, N. Datta, A. Jha, C. Mancillas Lopez, M. Nandi, Y. Sasaki, "ESTATE"
 * (submission to NIST's lightweight cryptography project, round 2, 2019),
 * section 2; same names.
 *
 * "cipher.h" gives estate_key, estate_set_key, estate_encrypt (the cipher) and estate_absorb (the
 * cipher for blocks before the last and, under the tweak ESTATE_NONCE, for the nonce); "domain.h"
 * gives ESTATE_NONCE_TWICE, 1 where the submitted reference code, unlike the specification,
 * encrypts the nonce a second time if associated data and message are empty.
 *
 * Encryption starts with the tag of the whole message: there is no incremental API.
 */
#include "api.h"
#include "bytes.h"
#include "cipher.h"
#include "crypto_aead.h"
#include "domain.h"
#include "secret.h"

/* Tweaks. The next value is the tweak of a partial last block. */
enum {
    STREAM = 0,
    AD_BEFORE_MESSAGE = 2,
    MESSAGE = 4,
    AD_ALONE = 6,
    NOTHING = 8,
};

/* FCBC*: V = E(V + block) for each block; the last block has the tweak `last` or the next value. */
static void absorb(estate_key *key, uint8_t v[16], const uint8_t *bytes, size_t length,
                   uint8_t last)
{
    while (length != 0) {
        const uint8_t n = length < 16 ? (uint8_t)length : 16;

        for (uint8_t i = 0; i < n; i++) {
            v[i] ^= *bytes++;
        }
        length -= n;
        if (length != 0) {
            estate_absorb(key, v, ESTATE_ABSORB);
        } else if (n == 16) {
            estate_encrypt(key, v, last);
        } else {
            v[n] ^= 0x01;
            estate_encrypt(key, v, (uint8_t)(last + 1));
        }
    }
}

/* MAC: computes the tag. */
static void authenticate(estate_key *key, uint8_t tag[16], const uint8_t *nonce, const uint8_t *ad,
                         size_t adlen, const uint8_t *message, size_t length)
{
    copy_bytes(tag, nonce, 16);
    if (adlen == 0 && length == 0) {
#if ESTATE_NONCE_TWICE
        estate_absorb(key, tag, ESTATE_NONCE);
#else
        estate_encrypt(key, tag, NOTHING);
#endif
        return;
    }
    estate_absorb(key, tag, ESTATE_NONCE);
    absorb(key, tag, ad, adlen, length != 0 ? AD_BEFORE_MESSAGE : AD_ALONE);
    absorb(key, tag, message, length, MESSAGE);
}

/* OFB: output = input ^ key stream, the tag encrypted once, twice and so on. */
static void crypt(estate_key *key, const uint8_t tag[16], uint8_t *output, const uint8_t *input,
                  size_t length)
{
    uint8_t stream[16];

    copy_bytes(stream, tag, 16);
    while (length != 0) {
        const uint8_t n = length < 16 ? (uint8_t)length : 16;

        estate_encrypt(key, stream, STREAM);
        for (uint8_t i = 0; i < n; i++) {
            *output++ = *input++ ^ stream[i];
        }
        length -= n;
    }
}

int crypto_aead_encrypt(unsigned char *c, unsigned long long *clen, const unsigned char *m,
                        unsigned long long mlen, const unsigned char *ad, unsigned long long adlen,
                        const unsigned char *nsec, const unsigned char *npub,
                        const unsigned char *k)
{
    const size_t length = (size_t)mlen;
    uint8_t tag[16];
    estate_key key;

    (void)nsec;
    estate_set_key(&key, k);
    authenticate(&key, tag, npub, ad, (size_t)adlen, m, length);
    crypt(&key, tag, c, m, length);
    copy_bytes(c + length, tag, CRYPTO_ABYTES);
    *clen = length + CRYPTO_ABYTES;
    return 0;
}

/* On rejection, the output is zero throughout. */
int crypto_aead_decrypt(unsigned char *m, unsigned long long *mlen, unsigned char *nsec,
                        const unsigned char *c, unsigned long long clen, const unsigned char *ad,
                        unsigned long long adlen, const unsigned char *npub, const unsigned char *k)
{
    size_t length = (size_t)clen;
    uint8_t tag[16];
    estate_key key;

    (void)nsec;
    *mlen = 0;
    if (length < CRYPTO_ABYTES) {
        return -1;
    }
    length -= CRYPTO_ABYTES;
    estate_set_key(&key, k);
    crypt(&key, c + length, m, c, length);
    authenticate(&key, tag, npub, ad, (size_t)adlen, m, length);
    if (compare_constant_time(tag, c + length, CRYPTO_ABYTES) != 0) {
        wipe(m, length);
        return -1;
    }
    *mlen = length;
    return 0;
}
