/* SUPERCOP's interface for packages: crypto_core/aes128decrypt of its tree. */
#ifndef CRYPTO_CORE_AES128DECRYPT_H
#define CRYPTO_CORE_AES128DECRYPT_H

#define crypto_core_aes128decrypt_OUTPUTBYTES 16
#define crypto_core_aes128decrypt_INPUTBYTES 16
#define crypto_core_aes128decrypt_KEYBYTES 16
#define crypto_core_aes128decrypt_CONSTBYTES 0

int crypto_core_aes128decrypt(unsigned char *out, const unsigned char *in, const unsigned char *k,
                              const unsigned char *c);

#endif
