/* SUPERCOP's interface for packages: crypto_core/keccakf160064bits of its tree.
 */
#ifndef CRYPTO_CORE_KECCAKF160064BITS_H
#define CRYPTO_CORE_KECCAKF160064BITS_H

#define crypto_core_keccakf160064bits_OUTPUTBYTES 200
#define crypto_core_keccakf160064bits_INPUTBYTES 200
#define crypto_core_keccakf160064bits_KEYBYTES 0
#define crypto_core_keccakf160064bits_CONSTBYTES 0

int crypto_core_keccakf160064bits(unsigned char *out, const unsigned char *in,
                                  const unsigned char *k, const unsigned char *c);

#endif
