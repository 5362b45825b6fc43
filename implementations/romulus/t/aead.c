/*
 * Romulus-T.
 *
 * References: "Romulus v1.3" (2021), section 2.4 (see romulus.h); same names.
 *
 * The tag is checked before decryption, so there is no incremental form.
 */
#include "api.h"
#include "crypto_aead.h"
#include "hash_core.h"
#include "inline.h"
#include "secret.h"

enum { DOMAIN_MESSAGE = 0x40, DOMAIN_NEXT_KEY = 0x41, DOMAIN_FIRST_KEY = 0x42, DOMAIN_TAG = 0x44 };

/* Sets the counter to 0. */
static void clear(romulus_tk1 *tk1)
{
    *tk1 = (romulus_tk1){{0}, 0};
}

/* Encrypts or decrypts: each block with its own key, derived from the previous block. Schedules are
 * long, so the functions with one are separate: the stack holds one at a time. */
NEVER_INLINE void crypt(uint8_t *output, const uint8_t *input, size_t length, const uint8_t *nonce,
                        const uint8_t *key)
{
    skinny128_schedule schedule;
    uint8_t z[ROMULUS_BLOCK], stream[ROMULUS_BLOCK];
    uint8_t domain = DOMAIN_FIRST_KEY;
    romulus_tk1 tk1;

    clear(&tk1);
    skinny128_set_key(&schedule, key);
    while (length != 0) {
        const uint8_t n = length < ROMULUS_BLOCK ? (uint8_t)length : ROMULUS_BLOCK;

        for (uint8_t i = 0; i < ROMULUS_BLOCK; i++) {
            z[i] = stream[i] = nonce[i];
        }
        romulus_encrypt(&schedule, &tk1, domain, z);
        if (domain == DOMAIN_FIRST_KEY) {
            romulus_reset(&tk1);
        } else {
            romulus_count(&tk1);
        }
        domain = DOMAIN_NEXT_KEY;
        skinny128_set_key(&schedule, z);
        romulus_encrypt(&schedule, &tk1, DOMAIN_MESSAGE, stream);
        for (uint8_t i = 0; i < n; i++) {
            *output++ = *input++ ^ stream[i];
        }
        length -= n;
    }
}

/* Hashes a non-empty string, followed by zeros and the length of its last block. */
static void hash_padded(romulus_hash *h, const uint8_t *bytes, size_t length)
{
    if (length != 0) {
        const uint8_t rest = length % ROMULUS_BLOCK;
        uint8_t padding[ROMULUS_BLOCK] = {0};

        padding[ROMULUS_BLOCK - 1] = rest;
        romulus_hash_update(h, bytes, length);
        romulus_hash_update(h, padding + rest, (size_t)(ROMULUS_BLOCK - rest));
    }
}

/* The digest of associated data, ciphertext, nonce and the number of the ciphertext's blocks. */
static void hash_all(romulus_hash *h, const uint8_t *ad, size_t adlen, const uint8_t *c,
                     size_t clen, const uint8_t *nonce)
{
    romulus_tk1 tk1;

    romulus_hash_init(h);
    hash_padded(h, ad, adlen);
    hash_padded(h, c, clen);
    romulus_hash_update(h, nonce, ROMULUS_BLOCK);
    romulus_reset(&tk1);
    for (size_t blocks = clen / ROMULUS_BLOCK + (clen % ROMULUS_BLOCK != 0); blocks != 0;
         blocks--) {
        romulus_count(&tk1);
    }
    romulus_hash_update(h, tk1.counter, sizeof tk1.counter);
    romulus_hash_final(h);
}

/* The tag: the digest's first half, encrypted under its second. */
NEVER_INLINE void encrypt_digest(uint8_t *tag, romulus_hash *h, const uint8_t *key)
{
    skinny128_schedule schedule;
    romulus_tk1 tk1;

    clear(&tk1);
    skinny128_set_key_tk2(&schedule, key, h->r);
    romulus_encrypt(&schedule, &tk1, DOMAIN_TAG, h->l);
    for (uint8_t i = 0; i < ROMULUS_BLOCK; i++) {
        tag[i] = h->l[i];
    }
}

int crypto_aead_encrypt(unsigned char *c, unsigned long long *clen, const unsigned char *m,
                        unsigned long long mlen, const unsigned char *ad, unsigned long long adlen,
                        const unsigned char *nsec, const unsigned char *npub,
                        const unsigned char *k)
{
    const size_t length = (size_t)mlen;
    romulus_hash h;

    (void)nsec;
    *clen = length + CRYPTO_ABYTES;
    crypt(c, m, length, npub, k);
    hash_all(&h, ad, (size_t)adlen, c, length, npub);
    encrypt_digest(c + length, &h, k);
    return 0;
}

/* On rejection, the output is zero throughout. */
int crypto_aead_decrypt(unsigned char *m, unsigned long long *mlen, unsigned char *nsec,
                        const unsigned char *c, unsigned long long clen, const unsigned char *ad,
                        unsigned long long adlen, const unsigned char *npub, const unsigned char *k)
{
    size_t length = (size_t)clen;
    uint8_t tag[CRYPTO_ABYTES];
    romulus_hash h;

    (void)nsec;
    *mlen = 0;
    if (length < CRYPTO_ABYTES) {
        return -1;
    }
    length -= CRYPTO_ABYTES;
    hash_all(&h, ad, (size_t)adlen, c, length, npub);
    encrypt_digest(tag, &h, k);
    if (compare_constant_time(tag, c + length, CRYPTO_ABYTES) != 0) {
        wipe(m, length);
        return -1;
    }
    crypt(m, c, length, npub, k);
    *mlen = length;
    return 0;
}
