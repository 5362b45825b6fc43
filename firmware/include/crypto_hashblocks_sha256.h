/* SUPERCOP's interface for packages: crypto_hashblocks/sha256 of its tree. */
#ifndef CRYPTO_HASHBLOCKS_SHA256_H
#define CRYPTO_HASHBLOCKS_SHA256_H

#define crypto_hashblocks_sha256_STATEBYTES 32
#define crypto_hashblocks_sha256_BLOCKBYTES 64

int crypto_hashblocks_sha256(unsigned char *state, const unsigned char *in,
                             unsigned long long inlen);

#endif
