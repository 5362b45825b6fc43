/* SUPERCOP's interface for packages: crypto_hashblocks/sha512 of its tree. */
#ifndef CRYPTO_HASHBLOCKS_SHA512_H
#define CRYPTO_HASHBLOCKS_SHA512_H

#define crypto_hashblocks_sha512_STATEBYTES 64
#define crypto_hashblocks_sha512_BLOCKBYTES 128

int crypto_hashblocks_sha512(unsigned char *state, const unsigned char *in,
                             unsigned long long inlen);

#endif
