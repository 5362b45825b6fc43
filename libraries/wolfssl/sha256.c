/* SHA-256 of wolfCrypt (wolfssl/wolfcrypt/sha256.h) as SUPERCOP and NIST call it. */
#include <wolfssl/wolfcrypt/sha256.h>

#include "crypto_hash.h"

int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long inlen)
{
    wc_Sha256 state;
    int failure = wc_InitSha256(&state);
    if (failure == 0) {
        failure = wc_Sha256Update(&state, in, (word32)inlen);
    }
    if (failure == 0) {
        failure = wc_Sha256Final(&state, out);
    }
    wc_Sha256Free(&state);
    return failure == 0 ? 0 : -1;
}
