/*
 * SKINNY-128 with two or three tweakeys, with the interface of all its implementations.
 *
 * References: C. Beierle, J. Jean, S. Kölbl, G. Leander, A. Moradi, T. Peyrin, Y. Sasaki,
 * P. Sasdrich, S. M. Sim, "The SKINNY Family of Block Ciphers and its Low-Latency Variant MANTIS"
 * (CRYPTO 2016), section 2; C. Guo, T. Iwata, M. Khairallah, K. Minematsu, T. Peyrin, "Romulus
 * v1.3" (2021), section 2.3, for SKINNY-128-384+; same names.
 *
 * "variant.h" of the cipher that uses it defines
 *   SKINNY128_ROUNDS         40 (SKINNY-128-384+), 48 (-128-256) or 56 (-128-384);
 *   SKINNY128_TWEAKEYS       2 or 3;
 *   SKINNY128_KEEPS_TK3      1 if TK2 changes more often than TK3.
 * The implementation's "schedule.h" defines skinny128_schedule.
 *
 * Every second round takes half of TK1, TK2 and TK3 each: rounds 0, 2, 4, ... the original first
 * half, rounds 1, 3, 5, ... the second. Most modes have a counter in the first half of TK1 and
 * little in the second; so the first half is given with each block, and all else beforehand.
 */
#ifndef PENNYWEIGHT_SKINNY128_H
#define PENNYWEIGHT_SKINNY128_H

#include <stdint.h>

#include "variant.h"

#include "schedule.h"

#define SKINNY128_BYTES 16

/* Sets the tweakey TK3 (TK2 if there are two), 16 bytes; the second half of TK1 is zero now, and so
 * is TK2, but with SKINNY128_KEEPS_TK3 it must be set before encrypting. */
void skinny128_set_key(skinny128_schedule *s, const uint8_t *key);

#if SKINNY128_TWEAKEYS == 3 && SKINNY128_KEEPS_TK3
/* Sets TK2, 16 bytes; the second half of TK1 is zero now. */
void skinny128_set_tk2(skinny128_schedule *s, const uint8_t *tk2);
#endif

#if SKINNY128_TWEAKEYS == 3 && !SKINNY128_KEEPS_TK3
/* Sets TK3 and TK2, 16 bytes each; the second half of TK1 is zero now. */
void skinny128_set_key_tk2(skinny128_schedule *s, const uint8_t *key, const uint8_t *tk2);
#endif

#if SKINNY128_TWEAKEYS == 3 && !SKINNY128_KEEPS_TK3
/* Encrypts two blocks, `a` and `b`, in place under one tweakey, 16 bytes of each part of it: for a
 * tweakey that is used once. Implemented in both.c. */
void skinny128_encrypt_both(uint8_t *a, uint8_t *b, const uint8_t *tk1, const uint8_t *tk2,
                            const uint8_t *tk3);
#endif

/* Adds 8 bytes to the second half of TK1. */
void skinny128_add_tk1_upper(skinny128_schedule *s, const uint8_t *upper);

/* Encrypts `block` in place; `lower` is the first half of TK1, 8 bytes. */
void skinny128_encrypt(const skinny128_schedule *s, const uint8_t *lower, uint8_t *block);

/* The inverse, implemented in decrypt.c. */
void skinny128_decrypt(const skinny128_schedule *s, const uint8_t *lower, uint8_t *block);

#endif
