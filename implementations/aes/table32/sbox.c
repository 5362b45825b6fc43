/*
 * The S-box of AES as a table of 256 bytes, in RAM.
 *
 * References: FIPS 197 (2001, updated 2023), table 4.
 */
#include "sbox.h"

#include "flash.h"
#include "values.h"

uint8_t aes_sbox[256] IN_RAM = {AES_SBOX};
