/*
 * Grain-128AEADv2's mode.
 *
 * References: "Grain-128AEADv2" (2021), sections 2.3 and 2.4 (see grain.h); ITU-T X.690 (2021),
 * section 8.1.3 (the definite form of a length).
 *
 * The length of the associated data is absorbed first, so there is no incremental form.
 */
#include "api.h"
#include "crypto_aead.h"
#include "grain.h"
#include "secret.h"

/* Initialization, then the length of the associated data in DER, and the data. */
static void begin(grain_state *g, const uint8_t *key, const uint8_t *nonce, const uint8_t *ad,
                  size_t length)
{
    uint8_t der[1 + sizeof length];
    uint8_t *start = der + sizeof der;

    grain_init(g, key, nonce);
    if (length < 128) {
        *--start = (uint8_t)length;
    } else {
        size_t rest = length;

        for (; rest != 0; rest >>= 8) {
            *--start = (uint8_t)rest;
        }
        start--;
        *start = (uint8_t)(0x80 | (unsigned)(der + sizeof der - 1 - start));
    }
    grain_bytes(g, NULL, start, (size_t)(der + sizeof der - start), GRAIN_ABSORB);
    grain_bytes(g, NULL, ad, length, GRAIN_ABSORB);
}

int crypto_aead_encrypt(unsigned char *c, unsigned long long *clen, const unsigned char *m,
                        unsigned long long mlen, const unsigned char *ad, unsigned long long adlen,
                        const unsigned char *nsec, const unsigned char *npub,
                        const unsigned char *k)
{
    const size_t length = (size_t)mlen;
    grain_state g;

    (void)nsec;
    *clen = length + CRYPTO_ABYTES;
    begin(&g, k, npub, ad, (size_t)adlen);
    grain_bytes(&g, c, m, length, GRAIN_ENCRYPT);
    grain_tag(&g, c + length);
    return 0;
}

/* On rejection, the output is zero throughout. */
int crypto_aead_decrypt(unsigned char *m, unsigned long long *mlen, unsigned char *nsec,
                        const unsigned char *c, unsigned long long clen, const unsigned char *ad,
                        unsigned long long adlen, const unsigned char *npub, const unsigned char *k)
{
    size_t length = (size_t)clen;
    uint8_t tag[CRYPTO_ABYTES];
    grain_state g;

    (void)nsec;
    *mlen = 0;
    if (length < CRYPTO_ABYTES) {
        return -1;
    }
    length -= CRYPTO_ABYTES;
    begin(&g, k, npub, ad, (size_t)adlen);
    grain_bytes(&g, m, c, length, GRAIN_DECRYPT);
    grain_tag(&g, tag);
    if (compare_constant_time(tag, c + length, CRYPTO_ABYTES) != 0) {
        wipe(m, length);
        return -1;
    }
    *mlen = length;
    return 0;
}
