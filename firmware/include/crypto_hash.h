/*
 * The one-shot hash API of SUPERCOP and of the NIST Lightweight Cryptography call for algorithms
 * (2018, section 3.5.2). Returns 0.
 */
#ifndef CRYPTO_HASH_H
#define CRYPTO_HASH_H

#ifndef __ASSEMBLER__
#ifdef __cplusplus
extern "C" {
#endif

int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long inlen);

#ifdef __cplusplus
}
#endif
#endif

#endif
