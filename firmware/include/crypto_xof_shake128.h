/* SUPERCOP's interface for packages: crypto_xof/shake128 of its tree. */
#ifndef CRYPTO_XOF_SHAKE128_H
#define CRYPTO_XOF_SHAKE128_H

int crypto_xof_shake128(unsigned char *out, long long outlen, const unsigned char *in,
                        long long inlen);

#endif
