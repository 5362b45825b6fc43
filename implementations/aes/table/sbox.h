/*
 * The S-box of AES as a table of 256 bytes, in flash.
 *
 * References: FIPS 197 (2001, updated 2023), table 4.
 */
#ifndef PENNYWEIGHT_AES_TABLE_SBOX_H
#define PENNYWEIGHT_AES_TABLE_SBOX_H

#include <stdint.h>

#include "flash.h"

extern const uint8_t aes_sbox[256] IN_FLASH;

/* SBOX(x). */
static inline uint8_t sbox(uint8_t x)
{
    return flash_u8(&aes_sbox[x]);
}

#endif
