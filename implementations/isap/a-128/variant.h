/*
 * ISAP-A-128: on Ascon's permutation.
 *
 * References: "ISAP v2.0" (2021), section 2 (see aead_state.h).
 */
#ifndef PENNYWEIGHT_ASCON_VARIANT_H
#define PENNYWEIGHT_ASCON_VARIANT_H

#define ISAP_RATE 8                          /* r_H, in bytes */
#define ISAP_IV UINT64_C(0x008040010c0c0c0c) /* except its first byte */
#define ISAP_S_H ASCON_12_ROUNDS
#define ISAP_S_B ASCON_12_ROUNDS
#define ISAP_S_E ASCON_12_ROUNDS
#define ISAP_S_K ASCON_12_ROUNDS

/* Parameters of Ascon's permutation and sponge. */
#define ASCON_BIG_ENDIAN 1
#define ASCON_RATE ISAP_RATE
#define ASCON_ROUNDS_B ISAP_S_H

#endif
