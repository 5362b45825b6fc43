/*
 * Assembly for Xoodoo: what it replaces, and where.
 *
 * References: J. Daemen et al., "Xoodyak, a lightweight cryptographic scheme" (v2, 2021).
 *
 * The assembly works on xoodoo_state. An implementation uses it if api.h defines PW_ASM and the
 * target is one of those below; with XOODOO_SMALL, fewer rounds are unrolled, for cores with a code
 * cache: eight on Armv7-M, four on Armv6-M and RV32I. It defines
 *
 *   XOODOO_NATIVE_PERMUTE  xoodoo_permute replaces the one in C
 *   XOODYAK_NATIVE_BLOCKS  Armv7-M, RV32I: the functions over whole blocks below
 *
 * All functions follow the procedure call standard, run in constant time and use at most 68 bytes
 * of stack. Input and output may have any alignment; the output may be the input.
 */
#ifndef PENNYWEIGHT_XOODOO_NATIVE_H
#define PENNYWEIGHT_XOODOO_NATIVE_H

#include <stddef.h>

#include "api.h"
#include "arm.h"
#include "riscv.h"
#include "xoodoo.h"

#if defined(PW_ASM) && PW_ARMV6M

#define XOODOO_NATIVE_PERMUTE 1

#elif defined(PW_ASM) && (PW_ARMV7M || PW_RV32I)

#define XOODOO_NATIVE_PERMUTE 1
#define XOODYAK_NATIVE_BLOCKS 1

/* Absorbs `blocks` >= 1 blocks of 44 bytes: before each the permutation, after each the first byte
 * of padding. `none` is not used. */
void xoodyak_absorb_44(xoodoo_state *s, uint8_t *none, const uint8_t *input, size_t blocks);

/* The same with blocks of 16 bytes. */
void xoodyak_absorb_16(xoodoo_state *s, uint8_t *none, const uint8_t *input, size_t blocks);

/* The same with blocks of 24 bytes, encrypting them. */
void xoodyak_encrypt_24(xoodoo_state *s, uint8_t *output, const uint8_t *input, size_t blocks);

/* The same, decrypting them. */
void xoodyak_decrypt_24(xoodoo_state *s, uint8_t *output, const uint8_t *input, size_t blocks);

#endif
#endif
