/*
 * Shared by the modes of Romulus.
 *
 * References: C. Guo, T. Iwata, M. Khairallah, K. Minematsu, T. Peyrin, "Romulus v1.3" (2021),
 * sections 2.2 to 2.4; same names.
 */
#ifndef PENNYWEIGHT_ROMULUS_H
#define PENNYWEIGHT_ROMULUS_H

#include <stdint.h>

#include "api.h"
#include "skinny128.h"

#define ROMULUS_BLOCK 16

/* Whether aligned blocks are processed in words, in a fourth of the time. Not on machines without
 * 32-bit registers, and not if a manifest requests small code. */
#ifndef ROMULUS_WORDS
#define ROMULUS_WORDS (UINTPTR_MAX > 0xffff)
#endif

/* The part of TK1 that is not zero: the counter, an element of GF(2^56), and the domain. */
typedef struct {
    uint8_t counter[7];
    uint8_t domain;
} romulus_tk1;

/* Sets the counter to 1. */
void romulus_reset(romulus_tk1 *tk1);

/* Doubles the counter. */
void romulus_count(romulus_tk1 *tk1);

/* s = E_K with the counter, the domain `domain` and the tweak in the schedule. */
void romulus_encrypt(const skinny128_schedule *schedule, romulus_tk1 *tk1, uint8_t domain,
                     uint8_t *s);

/* pad: `padded` gets `length` <= 16 bytes; if they are fewer, zeros and their number follow. */
void romulus_pad(uint8_t *padded, const uint8_t *bytes, uint8_t length);

/* The state's half of rho: s += pad(bytes). */
void romulus_absorb(uint8_t *s, const uint8_t *bytes, uint8_t length);

/* rho: output = G(s) + input and s += pad(input); its inverse if `inverse` is not 0. */
void romulus_rho(uint8_t *s, uint8_t *output, const uint8_t *input, uint8_t length,
                 uint8_t inverse);

/* output = G(s), 16 bytes. */
void romulus_g(uint8_t *output, const uint8_t *s);

#endif
