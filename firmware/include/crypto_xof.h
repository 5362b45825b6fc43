/*
 * SUPERCOP's interface for packages: a function with output of any length that other
 * packages are built on. They call it by the name of its algorithm, which is then a macro
 * here.
 */
#ifndef CRYPTO_XOF_H
#define CRYPTO_XOF_H

int crypto_xof(unsigned char *out, long long outlen, const unsigned char *in, long long inlen);

#endif
