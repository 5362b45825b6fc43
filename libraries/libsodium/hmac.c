/* HMAC-SHA-256 of libsodium; its crypto_auth.h has SUPERCOP's prototypes. */
#include "crypto_auth.h"
#include "crypto_auth_hmacsha256.h"

int crypto_auth(unsigned char *out, const unsigned char *in, unsigned long long inlen,
                const unsigned char *k)
{
    return crypto_auth_hmacsha256(out, in, inlen, k);
}

int crypto_auth_verify(const unsigned char *h, const unsigned char *in, unsigned long long inlen,
                       const unsigned char *k)
{
    return crypto_auth_hmacsha256_verify(h, in, inlen, k);
}
