/*
 * What packages of SUPERCOP expect of their framework: a function with output of any length, which
 * other packages are built on. Those call it by the name of what it computes, which is then a macro
 * here.
 */
#ifndef CRYPTO_XOF_H
#define CRYPTO_XOF_H

int crypto_xof(unsigned char *out, long long outlen, const unsigned char *in, long long inlen);

#endif
