/*
 * The one-shot AEAD API of SUPERCOP and of the NIST Lightweight Cryptography call for algorithms
 * (2018, section 3.5.1). Returns 0, or -1 if decryption rejects the tag; `nsec` is unused.
 * ciphertext is plaintext's length plus the tag's; output may be the same buffer as input.
 */
#ifndef CRYPTO_AEAD_H
#define CRYPTO_AEAD_H

#ifndef __ASSEMBLER__
#ifdef __cplusplus
extern "C" {
#endif

int crypto_aead_encrypt(unsigned char *c, unsigned long long *clen, const unsigned char *m,
                        unsigned long long mlen, const unsigned char *ad, unsigned long long adlen,
                        const unsigned char *nsec, const unsigned char *npub,
                        const unsigned char *k);

int crypto_aead_decrypt(unsigned char *m, unsigned long long *mlen, unsigned char *nsec,
                        const unsigned char *c, unsigned long long clen, const unsigned char *ad,
                        unsigned long long adlen, const unsigned char *npub,
                        const unsigned char *k);

#ifdef __cplusplus
}
#endif
#endif

#endif
