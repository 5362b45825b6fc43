/* A hash of LibTomCrypt as SUPERCOP and NIST call it; the library's file names its functions. */
#include "tomcrypt.h"

#include "crypto_hash.h"

int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long inlen)
{
    hash_state state;
    int failure = OWN_INIT(&state);
    /* The library rejects a null pointer even for zero bytes. */
    if (failure == CRYPT_OK && inlen != 0) {
        failure = OWN_UPDATE(&state, in, (unsigned long)inlen);
    }
    if (failure == CRYPT_OK) {
        failure = OWN_FINAL(&state, out);
    }
    return failure == CRYPT_OK ? 0 : -1;
}
