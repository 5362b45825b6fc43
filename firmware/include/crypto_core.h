/*
 * What packages of SUPERCOP expect of their framework: a function of a fixed size, which other
 * packages are built on. Those call it by the name of what it computes, which is then a macro here.
 */
#ifndef CRYPTO_CORE_H
#define CRYPTO_CORE_H

int crypto_core(unsigned char *out, const unsigned char *in, const unsigned char *k,
                const unsigned char *c);

#endif
