/*
 * Assembly for Ascon: what it replaces, and where.
 *
 * References: NIST SP 800-232 (2025), sections 3 and 4.1; Ascon v1.2 (2021), sections 2.4 and 2.6.
 *
 * The assembly works on the state of interleaved32/permutation.h or halves32/permutation.h, on AVR
 * on that of bytes8/permutation.h, and reads the variant's order of bytes, rate and rounds from
 * variant.h. An implementation uses it if api.h defines PW_ASM, or PW_ASM8 for AVR, and the target
 * is one of those below; it defines
 *
 *   ASCON_NATIVE_PERMUTE  ascon_permute and, for ISAP but not on AVR, ascon_absorb_bits replace
 *                         those in C
 *   ASCON_NATIVE_BLOCKS   the functions over whole blocks below
 *   ASCON_KEYED           Armv7-M, keys of 16 bytes: ascon_initialize and ascon_finalize of
 *                         sponge_lanes.h
 *
 * All functions follow the procedure call standard, run in constant time and use at most 76 bytes
 * of stack. Input and output may have any alignment, except on Armv6-M; the output may be the
 * input.
 */
#ifndef PENNYWEIGHT_ASCON_NATIVE_H
#define PENNYWEIGHT_ASCON_NATIVE_H

#include <stddef.h>

#include "api.h"
#include "arm.h"
#include "avr.h"
#include "permutation.h"
#include "riscv.h"

#if defined(PW_ASM) && (((PW_ARMV6M || PW_ARMV7M) && defined(ASCON_INTERLEAVED)) || PW_RV32I)
#define ASCON_NATIVE_PERMUTE 1
#define ASCON_NATIVE_BLOCKS 1
#elif defined(PW_ASM8) && PW_AVR
#define ASCON_NATIVE_PERMUTE 1
#endif

#if ASCON_NATIVE_BLOCKS

/* The alignment of input and output. */
#if PW_ARMV6M
#define ASCON_NATIVE_ALIGNMENT 4
#else
#define ASCON_NATIVE_ALIGNMENT 1
#endif

/* Absorbs `blocks` >= 1 blocks of ASCON_RATE bytes, with ASCON_ROUNDS_B rounds after each. `none`
 * is not used. */
void ascon_absorb_blocks(ascon_state *s, uint8_t *none, const uint8_t *input, size_t blocks);

/* The same; the sum of the state and the input is the output. */
void ascon_encrypt_blocks(ascon_state *s, uint8_t *output, const uint8_t *input, size_t blocks);

/* The same; the sum is the output, and the input replaces the state. */
void ascon_decrypt_blocks(ascon_state *s, uint8_t *output, const uint8_t *input, size_t blocks);

/* Writes `blocks` >= 1 blocks of 8 bytes, with ASCON_ROUNDS_B rounds before each. Only without
 * keys. */
void ascon_squeeze_blocks(ascon_state *s, uint8_t *output, const uint8_t *none, size_t blocks);

#if PW_ARMV7M && defined(ASCON_KEY_BYTES) && ASCON_KEY_BYTES == 16

#define ASCON_KEYED 1

/* A key, as words. */
typedef struct {
    ascon_lane k[2];
} ascon_key;

#endif

#if PW_ARMV7M && defined(ISAP_S_B)

#undef ASCON_ABSORBS_BITS
#define ASCON_ABSORBS_BITS 1

/* Adds the bits of 16 bytes to the first bit of the first byte of the state, with ISAP_S_B rounds
 * (one or twelve) after each but the last of them. */
void ascon_absorb_bits(ascon_state *s, const uint8_t *bits);

#endif
#endif
#endif
