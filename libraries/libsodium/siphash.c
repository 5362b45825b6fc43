/* SipHash-2-4 of libsodium (crypto_shorthash_siphash24.h) as SUPERCOP calls a MAC. */
#include "api.h"
#include "crypto_auth.h"
#include "crypto_shorthash_siphash24.h"
#include "pennyweight/compare.h"

int crypto_auth(unsigned char *out, const unsigned char *in, unsigned long long inlen,
                const unsigned char *k)
{
    return crypto_shorthash_siphash24(out, in, inlen, k);
}

int crypto_auth_verify(const unsigned char *h, const unsigned char *in, unsigned long long inlen,
                       const unsigned char *k)
{
    unsigned char expected[CRYPTO_BYTES];
    (void)crypto_auth(expected, in, inlen, k);
    return pennyweight_compare(expected, h, CRYPTO_BYTES);
}
