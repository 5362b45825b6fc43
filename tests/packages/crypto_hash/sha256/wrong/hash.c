/* Has the name and the size of SHA-256, and another answer to everything. */
#include "crypto_hash.h"

int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long inlen)
{
    int i;

    (void)in;
    for (i = 0; i < 32; i++) {
        out[i] = (unsigned char)inlen;
    }
    return 0;
}
