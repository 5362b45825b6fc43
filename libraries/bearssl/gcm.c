/* AES-GCM of BearSSL (bearssl_aead.h) as SUPERCOP and NIST call it; AES_CTR and GHASH are the
 * representations that the library's file chooses. BearSSL works in place. */
#include <string.h>

#include "api.h"
#include "bearssl.h"
#include "choice.h"
#include "crypto_aead.h"

#define JOIN(name, suffix) name##suffix
#define KEYS(name) JOIN(name, _keys)
#define INIT(name) JOIN(name, _init)

static void start(br_gcm_context *context, KEYS(AES_CTR) * aes, const unsigned char *k,
                  const unsigned char *npub, const unsigned char *ad, size_t length)
{
    INIT(AES_CTR)(aes, k, CRYPTO_KEYBYTES);
    br_gcm_init(context, &aes->vtable, GHASH);
    br_gcm_reset(context, npub, CRYPTO_NPUBBYTES);
    br_gcm_aad_inject(context, ad, length);
    br_gcm_flip(context);
}

int crypto_aead_encrypt(unsigned char *c, unsigned long long *clen, const unsigned char *m,
                        unsigned long long mlen, const unsigned char *ad, unsigned long long adlen,
                        const unsigned char *nsec, const unsigned char *npub,
                        const unsigned char *k)
{
    br_gcm_context context;
    KEYS(AES_CTR) aes;
    (void)nsec;
    start(&context, &aes, k, npub, ad, (size_t)adlen);
    memmove(c, m, (size_t)mlen);
    br_gcm_run(&context, 1, c, (size_t)mlen);
    br_gcm_get_tag(&context, c + mlen);
    *clen = mlen + CRYPTO_ABYTES;
    return 0;
}

int crypto_aead_decrypt(unsigned char *m, unsigned long long *mlen, unsigned char *nsec,
                        const unsigned char *c, unsigned long long clen, const unsigned char *ad,
                        unsigned long long adlen, const unsigned char *npub, const unsigned char *k)
{
    br_gcm_context context;
    KEYS(AES_CTR) aes;
    unsigned char tag[CRYPTO_ABYTES];
    (void)nsec;
    if (clen < CRYPTO_ABYTES) {
        return -1;
    }
    const size_t length = (size_t)(clen - CRYPTO_ABYTES);
    memcpy(tag, c + length, sizeof tag);
    start(&context, &aes, k, npub, ad, (size_t)adlen);
    memmove(m, c, length);
    br_gcm_run(&context, 0, m, length);
    *mlen = length;
    if (!br_gcm_check_tag(&context, tag)) {
        memset(m, 0, length);
        return -1;
    }
    return 0;
}
