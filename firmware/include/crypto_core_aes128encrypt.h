/* SUPERCOP's interface for packages: crypto_core/aes128encrypt of its tree. */
#ifndef CRYPTO_CORE_AES128ENCRYPT_H
#define CRYPTO_CORE_AES128ENCRYPT_H

#define crypto_core_aes128encrypt_OUTPUTBYTES 16
#define crypto_core_aes128encrypt_INPUTBYTES 16
#define crypto_core_aes128encrypt_KEYBYTES 16
#define crypto_core_aes128encrypt_CONSTBYTES 0

int crypto_core_aes128encrypt(unsigned char *out, const unsigned char *in, const unsigned char *k,
                              const unsigned char *c);

#endif
