/*
 * The interface of FELICS-AEAD for its ciphers: where data is, and the seven functions that they
 * define (https://www.cryptolux.org/index.php/FELICS).
 */
#ifndef CIPHER_H
#define CIPHER_H

#include <stdint.h>

/* The framework's alignment of data: 2 bytes, or 8 on Arm. */
#if defined(AVR) || defined(MSP)
#define ALIGNED __attribute__((aligned(2)))
#else
#define ALIGNED __attribute__((aligned(8)))
#endif

#include "data.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Called in this order; the whole message is processed at once, in place. */
void Initialize(uint8_t *state, const uint8_t *key, const uint8_t *nonce);
void ProcessAssociatedData(uint8_t *state, uint8_t *associatedData, uint32_t length);
void ProcessPlaintext(uint8_t *state, uint8_t *message, uint32_t length);
void ProcessCiphertext(uint8_t *state, uint8_t *message, uint32_t length);
void Finalize(uint8_t *state, uint8_t *key);
void TagGeneration(uint8_t *state, uint8_t *tag);

/* Returns 0 if the tag is right, or else -1. The framework defines it unless a cipher does. */
int TagVerification(uint8_t *state, uint8_t *tag);

#ifdef __cplusplus
}
#endif

#endif
