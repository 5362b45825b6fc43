/*
 * SUPERCOP's interface for packages: a compression function over whole blocks, on which
 * other packages build. They call it by the name of its algorithm, which is a macro in this
 * header.
 */
#ifndef CRYPTO_HASHBLOCKS_H
#define CRYPTO_HASHBLOCKS_H

int crypto_hashblocks(unsigned char *state, const unsigned char *in, unsigned long long inlen);

#endif
