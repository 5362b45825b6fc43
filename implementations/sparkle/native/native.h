/*
 * Assembly for Sparkle: what it replaces, and where.
 *
 * References: C. Beierle et al., "Schwaemm and Esch" (v1.2, 2021), sections 2.1 and 2.3.
 *
 * The assembly works on sparkle_state, except on AVR for six branches. An implementation uses it if
 * api.h defines PW_ASM (Armv6-M, Armv7-M, RV32I) or PW_ASM8 (AVR) and the target is one of those
 * below; with SPARKLE_SMALL, for cores with a code cache, the ARX-boxes of a step are a subroutine
 * on Armv7-M, and four steps of eight branches a loop. It defines
 *
 *   SPARKLE_NATIVE_PERMUTE  sparkle_permute replaces the one in C
 *   SCHWAEMM_NATIVE         Armv7-M: the functions below, for Schwaemm256-128 and Schwaemm256-256
 *   ESCH_NATIVE             Armv7-M: those for Esch256 and Esch384
 *
 * All functions follow the procedure call standard, run in constant time and use at most 148 bytes
 * of stack. Input and output may have any alignment; the output may be the input.
 */
#ifndef PENNYWEIGHT_SPARKLE_NATIVE_H
#define PENNYWEIGHT_SPARKLE_NATIVE_H

#include <stddef.h>

#include "api.h"
#include "arm.h"
#include "avr.h"
#include "riscv.h"
#include "state.h"

#if defined(PW_ASM8) && PW_AVR

#define SPARKLE_NATIVE_PERMUTE 1

#elif defined(PW_ASM) && (PW_ARMV6M || PW_RV32I) && SPARKLE_BRANCHES == 6 && !defined(SPARKLE_SMALL)

#define SPARKLE_NATIVE_PERMUTE 1

#elif defined(PW_ASM) && PW_ARMV7M && (SPARKLE_BRANCHES == 6 || SPARKLE_BRANCHES == 8)

#define SPARKLE_NATIVE_PERMUTE 1

#if defined(SCHWAEMM_RATE) && SCHWAEMM_RATE == 32

#define SCHWAEMM_NATIVE 1

/* S = Sparkle(nonce || key); `k` becomes the key, as words. */
void schwaemm_initialize(sparkle_state *s, uint32_t *k, const uint8_t *key, const uint8_t *nonce);

/* Permutes with SPARKLE_BIG steps and adds the key `k` to S_R, which is the tag then; the rest of
 * the state is undefined. */
void schwaemm_finalize(sparkle_state *s, const uint32_t *k);

/* Takes `blocks` >= 1 blocks of 32 bytes, with SPARKLE_SLIM steps before each. `none` is not
 * used. */
void schwaemm_absorb_blocks(sparkle_state *s, uint8_t *none, const uint8_t *input, size_t blocks);

/* The same, encrypting the input. */
void schwaemm_encrypt_blocks(sparkle_state *s, uint8_t *output, const uint8_t *input,
                             size_t blocks);

/* The same, decrypting the input. */
void schwaemm_decrypt_blocks(sparkle_state *s, uint8_t *output, const uint8_t *input,
                             size_t blocks);

#elif defined(ESCH_RATE) && ESCH_RATE == 16

#define ESCH_NATIVE 1

/* Absorbs `blocks` >= 1 blocks of 16 bytes, with SPARKLE_SLIM steps after each. */
void esch_absorb_blocks(sparkle_state *s, const uint8_t *input, size_t blocks);

/* Absorbs the last block, of 16 bytes, with SPARKLE_BIG steps after it, and squeezes the digest.
 * The state is undefined then. */
void esch_finalize(sparkle_state *s, const uint8_t *block, uint8_t *digest);

#endif
#endif
#endif
