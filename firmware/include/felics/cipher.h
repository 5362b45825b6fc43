/*
 * What ciphers written for FELICS-AEAD expect of their framework: where data lies, and the seven
 * functions that they define. The macros' names are the framework's
 * (https://www.cryptolux.org/index.php/FELICS); AVR, MSP or ARM is defined by the build.
 *
 * Constants lie in flash; on an AVR they are read from there by instructions of their own.
 */
#ifndef CIPHER_H
#define CIPHER_H

#include <stdint.h>

#ifdef AVR
#include <avr/pgmspace.h>
#endif

/* The framework aligns data as its parts like it: words of 2 bytes, on Arm 8. */
#if defined(AVR) || defined(MSP)
#define ALIGNED __attribute__((aligned(2)))
#else
#define ALIGNED __attribute__((aligned(8)))
#endif

#define RAM_DATA_BYTE uint8_t ALIGNED
#define RAM_DATA_WORD uint16_t ALIGNED
#define RAM_DATA_DOUBLE_WORD uint32_t ALIGNED

#define READ_RAM_DATA_BYTE(x) x
#define READ_RAM_DATA_WORD(x) x
#define READ_RAM_DATA_DOUBLE_WORD(x) x

#ifdef AVR
#define ROM_DATA_BYTE const uint8_t PROGMEM ALIGNED
#define ROM_DATA_WORD const uint16_t PROGMEM ALIGNED
#define ROM_DATA_DOUBLE_WORD const uint32_t PROGMEM ALIGNED
#define READ_ROM_DATA_BYTE(x) pgm_read_byte(&x)
#define READ_ROM_DATA_WORD(x) pgm_read_word(&x)
#define READ_ROM_DATA_DOUBLE_WORD(x) pgm_read_dword(&x)
#else
#define ROM_DATA_BYTE const uint8_t ALIGNED
#define ROM_DATA_WORD const uint16_t ALIGNED
#define ROM_DATA_DOUBLE_WORD const uint32_t ALIGNED
#define READ_ROM_DATA_BYTE(x) x
#define READ_ROM_DATA_WORD(x) x
#define READ_ROM_DATA_DOUBLE_WORD(x) x
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* In this order: a message is processed in place, all of it at once. */
void Initialize(uint8_t *state, const uint8_t *key, const uint8_t *nonce);
void ProcessAssociatedData(uint8_t *state, uint8_t *associatedData, uint32_t length);
void ProcessPlaintext(uint8_t *state, uint8_t *message, uint32_t length);
void ProcessCiphertext(uint8_t *state, uint8_t *message, uint32_t length);
void Finalize(uint8_t *state, uint8_t *key);
void TagGeneration(uint8_t *state, uint8_t *tag);

/* 0 if the tag is right, -1 if not. The framework brings it, unless a cipher does. */
int TagVerification(uint8_t *state, uint8_t *tag);

#ifdef __cplusplus
}
#endif

#endif
