/*
 * The one-shot AEAD functions of SUPERCOP and NIST packages, on the incremental ones.
 *
 * References: NIST Lightweight Cryptography call for algorithms (2018), section 3.5.1;
 * firmware/include/pennyweight/aead.h.
 *
 * "aead_state.h" and "api.h" are the implementation's: the former defines struct aead_state and, if
 * the algorithm has limits that memory can exceed, AEAD_LONGEST, the bytes of the longest message
 * and of the longest associated data; the latter CRYPTO_ABYTES, the tag's bytes.
 */
#include "crypto_aead.h"

#include "aead_state.h"
#include "api.h"
#include "secret.h"

/* Whether a length can exceed the algorithm's limit. */
#if defined AEAD_LONGEST && SIZE_MAX > AEAD_LONGEST
#define LENGTH_HAS_LIMIT 1
#else
#define LENGTH_HAS_LIMIT 0
#endif

/* Returns -1 and writes nothing if the message or the associated data are too long. */
int crypto_aead_encrypt(unsigned char *c, unsigned long long *clen, const unsigned char *m,
                        unsigned long long mlen, const unsigned char *ad, unsigned long long adlen,
                        const unsigned char *nsec, const unsigned char *npub,
                        const unsigned char *k)
{
    const size_t length = (size_t)mlen;
    aead_state state;

    (void)nsec;
#if LENGTH_HAS_LIMIT
    if (length > AEAD_LONGEST || (size_t)adlen > AEAD_LONGEST) {
        *clen = 0;
        return -1;
    }
#endif
    *clen = length + CRYPTO_ABYTES;
    aead_init(&state, k, npub);
    aead_ad(&state, ad, (size_t)adlen);
    aead_encrypt(&state, c, m, length);
    aead_finalize(&state);
    aead_tag(&state, c + length);
    return 0;
}

/* On rejection, the output is zero throughout, or unchanged if an input is too long. */
int crypto_aead_decrypt(unsigned char *m, unsigned long long *mlen, unsigned char *nsec,
                        const unsigned char *c, unsigned long long clen, const unsigned char *ad,
                        unsigned long long adlen, const unsigned char *npub, const unsigned char *k)
{
    size_t length = (size_t)clen;
    aead_state state;

    (void)nsec;
    *mlen = 0;
    if (length < CRYPTO_ABYTES) {
        return -1;
    }
    length -= CRYPTO_ABYTES;
#if LENGTH_HAS_LIMIT
    if (length > AEAD_LONGEST || (size_t)adlen > AEAD_LONGEST) {
        return -1;
    }
#endif
    aead_init(&state, k, npub);
    aead_ad(&state, ad, (size_t)adlen);
    aead_decrypt(&state, m, c, length);
    aead_finalize(&state);
    if (aead_verify(&state, c + length) != 0) {
        wipe(m, length);
        return -1;
    }
    *mlen = length;
    return 0;
}
