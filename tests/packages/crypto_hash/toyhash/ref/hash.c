/*
 * A toy with the interface of a hash, for tests. It protects nothing.
 */
#include "crypto_hash.h"

int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long inlen)
{
    unsigned char s[16] = {0};
    unsigned long long i;

    for (i = 0; i < inlen; i++) {
        s[i % 16] = (unsigned char)(s[i % 16] * 5 + in[i] + s[(i + 1) % 16]);
    }
    for (i = 0; i < 16; i++) {
        out[i] = s[i];
    }
    return 0;
}
