/*
 * Wraps the API of FELICS-AE in the one-shot API of SUPERCOP and NIST. The build renames its
 * functions to felics_encrypt and felics_decrypt: lengths are of type size_t, there is no secret
 * number, and encryption's return value has no meaning. The build defines TAG_SIZE in bytes; a
 * length that a function does not set counts as correct, because the framework does not read it.
 */
#include <stddef.h>

#include "../include/crypto_aead.h"

extern void felics_encrypt(unsigned char *c, size_t *clen, const unsigned char *m, size_t mlen,
                           const unsigned char *ad, size_t adlen, const unsigned char *npub,
                           const unsigned char *k);
extern int felics_decrypt(unsigned char *m, size_t *mlen, const unsigned char *c, size_t clen,
                          const unsigned char *ad, size_t adlen, const unsigned char *npub,
                          const unsigned char *k);

int crypto_aead_encrypt(unsigned char *c, unsigned long long *clen, const unsigned char *m,
                        unsigned long long mlen, const unsigned char *ad, unsigned long long adlen,
                        const unsigned char *nsec, const unsigned char *npub,
                        const unsigned char *k)
{
    size_t length = (size_t)mlen + TAG_SIZE;
    (void)nsec;
    felics_encrypt(c, &length, m, (size_t)mlen, ad, (size_t)adlen, npub, k);
    *clen = length;
    return 0;
}

int crypto_aead_decrypt(unsigned char *m, unsigned long long *mlen, unsigned char *nsec,
                        const unsigned char *c, unsigned long long clen, const unsigned char *ad,
                        unsigned long long adlen, const unsigned char *npub, const unsigned char *k)
{
    (void)nsec;
    if (clen < TAG_SIZE) {
        return -1;
    }
    size_t length = (size_t)clen - TAG_SIZE;
    const int result = felics_decrypt(m, &length, c, (size_t)clen, ad, (size_t)adlen, npub, k);
    *mlen = length;
    return result;
}
