/* SUPERCOP's interface for packages: crypto_hashblocks/md5 of its tree. */
#ifndef CRYPTO_HASHBLOCKS_MD5_H
#define CRYPTO_HASHBLOCKS_MD5_H

#define crypto_hashblocks_md5_STATEBYTES 16
#define crypto_hashblocks_md5_BLOCKBYTES 64

int crypto_hashblocks_md5(unsigned char *state, const unsigned char *in, unsigned long long inlen);

#endif
