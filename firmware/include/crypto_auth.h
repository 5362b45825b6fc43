/*
 * The one-shot MAC API of SUPERCOP: the implementation's api.h defines the sizes CRYPTO_BYTES (tag)
 * and CRYPTO_KEYBYTES. crypto_auth returns 0. crypto_auth_verify returns 0 if `h` is the message's
 * tag, or else -1.
 */
#ifndef CRYPTO_AUTH_H
#define CRYPTO_AUTH_H

#ifndef __ASSEMBLER__
#ifdef __cplusplus
extern "C" {
#endif

int crypto_auth(unsigned char *out, const unsigned char *in, unsigned long long inlen,
                const unsigned char *k);

int crypto_auth_verify(const unsigned char *h, const unsigned char *in, unsigned long long inlen,
                       const unsigned char *k);

#ifdef __cplusplus
}
#endif
#endif

#endif
