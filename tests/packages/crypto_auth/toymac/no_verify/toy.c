#include "crypto_auth.h"

int crypto_auth(unsigned char *out, const unsigned char *in, unsigned long long inlen,
                const unsigned char *k)
{
    (void)in;
    out[0] = (unsigned char)(k[0] + inlen);
    return 0;
}
