/*
 * Memory placement of the data of ciphers written for FELICS-AEAD or FELICS-AE. The macros' names
 * are the frameworks' (https://www.cryptolux.org/index.php/FELICS); The build defines AVR, MSP or
 * one of the Arm parts; the including file defines ALIGNED.
 *
 * Constants are in flash, which an AVR reads with separate instructions.
 */
#ifndef FELICS_DATA_H
#define FELICS_DATA_H

#include <stdint.h>

#ifdef AVR
#include <avr/pgmspace.h>
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
#define ROM_memcpy memcpy_P
#else
#define ROM_DATA_BYTE const uint8_t ALIGNED
#define ROM_DATA_WORD const uint16_t ALIGNED
#define ROM_DATA_DOUBLE_WORD const uint32_t ALIGNED
#define READ_ROM_DATA_BYTE(x) x
#define READ_ROM_DATA_WORD(x) x
#define READ_ROM_DATA_DOUBLE_WORD(x) x
#define ROM_memcpy memcpy
#endif

#endif
