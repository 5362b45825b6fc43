/*
 * The one-shot AEAD API of FELICS-AE: as SUPERCOP's, with lengths of type size_t and without a
 * secret number. The build renames the functions so that firmware/felics/one_shot.c can wrap them
 * in SUPERCOP's API. In some packages encryption returns no value.
 */
#ifndef CRYPTO_AEAD_H
#define CRYPTO_AEAD_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

int crypto_aead_encrypt(uint8_t *c, size_t *clen, const uint8_t *m, size_t mlen, const uint8_t *ad,
                        size_t adlen, const uint8_t *npub, const uint8_t *k);

int crypto_aead_decrypt(uint8_t *m, size_t *mlen, const uint8_t *c, size_t clen, const uint8_t *ad,
                        size_t adlen, const uint8_t *npub, const uint8_t *k);

#ifdef __cplusplus
}
#endif

#endif
