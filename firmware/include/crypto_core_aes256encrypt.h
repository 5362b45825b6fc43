/* SUPERCOP's interface for packages: crypto_core/aes256encrypt of its tree. */
#ifndef CRYPTO_CORE_AES256ENCRYPT_H
#define CRYPTO_CORE_AES256ENCRYPT_H

#define crypto_core_aes256encrypt_OUTPUTBYTES 16
#define crypto_core_aes256encrypt_INPUTBYTES 16
#define crypto_core_aes256encrypt_KEYBYTES 32
#define crypto_core_aes256encrypt_CONSTBYTES 0

int crypto_core_aes256encrypt(unsigned char *out, const unsigned char *in, const unsigned char *k,
                              const unsigned char *c);

#endif
