/*
 * For packages in the layout of NIST's lightweight cryptography benchmark: the type of the
 * description that each package defines (its lwc_crypto_hash.c). The description is not used here;
 * the linker drops it.
 */
#ifndef LWC_CRYPTO_HASH_H
#define LWC_CRYPTO_HASH_H

#include "crypto_hash.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const char *variant_name;
    const char *impl_name;
    int DigestBytes;
    int (*hash)(unsigned char *out, const unsigned char *in, unsigned long long inlen);
} hash_ctx;

extern hash_ctx lwc_hash_ctx;

#ifdef __cplusplus
}
#endif

#endif
