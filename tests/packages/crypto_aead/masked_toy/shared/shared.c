/*
 * The functions of the call for protected implementations around an ordinary AEAD, for tests: the
 * shares are combined inside the call, so that nothing is protected.
 */
#include "crypto_aead_shared.h"

#include "crypto_aead.h"
#include "randombytes.h"

/* Words of shares from bytes, in little-endian order. */
static void share(uint32_t *words, int shares, const unsigned char *bytes, unsigned long long size)
{
    for (unsigned long long i = 0; i < size; i += 4, words += shares) {
        uint32_t word = 0;

        for (int j = 0; j < 4 && i + j < size; j++) {
            word |= (uint32_t)bytes[i + j] << 8 * j;
        }
        for (int j = 1; j < shares; j++) {
            randombytes((unsigned char *)&words[j], 4);
            word ^= words[j];
        }
        words[0] = word;
    }
}

static void combine(unsigned char *bytes, unsigned long long size, const uint32_t *words,
                    int shares)
{
    for (unsigned long long i = 0; i < size; i += 4, words += shares) {
        uint32_t word = 0;

        for (int j = 0; j < shares; j++) {
            word ^= words[j];
        }
        for (int j = 0; j < 4 && i + j < size; j++) {
            bytes[i + j] = (unsigned char)(word >> 8 * j);
        }
    }
}

void generate_shares_encrypt(const unsigned char *m, mask_m_uint32_t *ms, unsigned long long mlen,
                             const unsigned char *ad, mask_ad_uint32_t *ads,
                             unsigned long long adlen, const unsigned char *npub,
                             mask_npub_uint32_t *npubs, const unsigned char *k,
                             mask_key_uint32_t *ks)
{
    share((uint32_t *)ms, NUM_SHARES_M, m, mlen);
    share((uint32_t *)ads, NUM_SHARES_AD, ad, adlen);
    share((uint32_t *)npubs, NUM_SHARES_NPUB, npub, CRYPTO_NPUBBYTES);
    share((uint32_t *)ks, NUM_SHARES_KEY, k, CRYPTO_KEYBYTES);
}

void generate_shares_decrypt(const unsigned char *c, mask_c_uint32_t *cs, unsigned long long clen,
                             const unsigned char *ad, mask_ad_uint32_t *ads,
                             unsigned long long adlen, const unsigned char *npub,
                             mask_npub_uint32_t *npubs, const unsigned char *k,
                             mask_key_uint32_t *ks)
{
    share((uint32_t *)cs, NUM_SHARES_C, c, clen);
    share((uint32_t *)ads, NUM_SHARES_AD, ad, adlen);
    share((uint32_t *)npubs, NUM_SHARES_NPUB, npub, CRYPTO_NPUBBYTES);
    share((uint32_t *)ks, NUM_SHARES_KEY, k, CRYPTO_KEYBYTES);
}

void combine_shares_encrypt(const mask_c_uint32_t *cs, unsigned char *c, unsigned long long clen)
{
    combine(c, clen, (const uint32_t *)cs, NUM_SHARES_C);
}

void combine_shares_decrypt(const mask_m_uint32_t *ms, unsigned char *m, unsigned long long mlen)
{
    combine(m, mlen, (const uint32_t *)ms, NUM_SHARES_M);
}

int crypto_aead_encrypt_shared(mask_c_uint32_t *cs, unsigned long long *clen,
                               const mask_m_uint32_t *ms, unsigned long long mlen,
                               const mask_ad_uint32_t *ads, unsigned long long adlen,
                               const mask_npub_uint32_t *npubs, const mask_key_uint32_t *ks)
{
    unsigned char m[mlen + CRYPTO_ABYTES], ad[adlen + 1];
    unsigned char k[CRYPTO_KEYBYTES], npub[CRYPTO_NPUBBYTES];

    combine(m, mlen, (const uint32_t *)ms, NUM_SHARES_M);
    combine(ad, adlen, (const uint32_t *)ads, NUM_SHARES_AD);
    combine(npub, sizeof(npub), (const uint32_t *)npubs, NUM_SHARES_NPUB);
    combine(k, sizeof(k), (const uint32_t *)ks, NUM_SHARES_KEY);
    crypto_aead_encrypt(m, clen, m, mlen, ad, adlen, 0, npub, k);
    share((uint32_t *)cs, NUM_SHARES_C, m, *clen);
    return 0;
}

int crypto_aead_decrypt_shared(mask_m_uint32_t *ms, unsigned long long *mlen,
                               const mask_c_uint32_t *cs, unsigned long long clen,
                               const mask_ad_uint32_t *ads, unsigned long long adlen,
                               const mask_npub_uint32_t *npubs, const mask_key_uint32_t *ks)
{
    unsigned char c[clen + 1], ad[adlen + 1];
    unsigned char k[CRYPTO_KEYBYTES], npub[CRYPTO_NPUBBYTES];
    int result;

    combine(c, clen, (const uint32_t *)cs, NUM_SHARES_C);
    combine(ad, adlen, (const uint32_t *)ads, NUM_SHARES_AD);
    combine(npub, sizeof(npub), (const uint32_t *)npubs, NUM_SHARES_NPUB);
    combine(k, sizeof(k), (const uint32_t *)ks, NUM_SHARES_KEY);
    result = crypto_aead_decrypt(c, mlen, 0, c, clen, ad, adlen, npub, k);
    share((uint32_t *)ms, NUM_SHARES_M, c, *mlen);
    return result;
}
