/*
 * SUPERCOP's interface for packages: a function with output of any length, on which other
 * packages build. They call it by the name of its algorithm, which is a macro in this
 * header.
 */
#ifndef CRYPTO_XOF_H
#define CRYPTO_XOF_H

int crypto_xof(unsigned char *out, long long outlen, const unsigned char *in, long long inlen);

#endif
