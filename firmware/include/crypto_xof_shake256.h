/* SUPERCOP's interface for packages: crypto_xof/shake256 of its tree. */
#ifndef CRYPTO_XOF_SHAKE256_H
#define CRYPTO_XOF_SHAKE256_H

int crypto_xof_shake256(unsigned char *out, long long outlen, const unsigned char *in,
                        long long inlen);

#endif
