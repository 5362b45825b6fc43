/*
 * What packages of SUPERCOP expect of their framework: a compression function, over whole blocks,
 * which other packages are built on. Those call it by the name of what it computes, which is then a
 * macro here.
 */
#ifndef CRYPTO_HASHBLOCKS_H
#define CRYPTO_HASHBLOCKS_H

int crypto_hashblocks(unsigned char *state, const unsigned char *in, unsigned long long inlen);

#endif
