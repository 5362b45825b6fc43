/*
 * For packages in the layout of NIST's lightweight cryptography benchmark: the type of the
 * description that each package defines (its lwc_crypto_aead.c). The description is not used here;
 * the linker drops it.
 */
#ifndef LWC_CRYPTO_AEAD_H
#define LWC_CRYPTO_AEAD_H

#include "crypto_aead.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const char *variant_name;
    const char *impl_name;
    int KeyBytes;
    int NonceBytes;
    int ABytes;
    int (*encrypt)(unsigned char *c, unsigned long long *clen, const unsigned char *m,
                   unsigned long long mlen, const unsigned char *ad, unsigned long long adlen,
                   const unsigned char *nsec, const unsigned char *npub, const unsigned char *k);
    int (*decrypt)(unsigned char *m, unsigned long long *mlen, unsigned char *nsec,
                   const unsigned char *c, unsigned long long clen, const unsigned char *ad,
                   unsigned long long adlen, const unsigned char *npub, const unsigned char *k);
} aead_ctx;

extern aead_ctx lwc_aead_cipher;

#ifdef __cplusplus
}
#endif

#endif
