/*
 * ISAP-K-128A: on Keccak-p[400, n].
 *
 * References: "ISAP v2.0" (2021), section 2 (see aead_state.h).
 */
#ifndef PENNYWEIGHT_ISAP_VARIANT_H
#define PENNYWEIGHT_ISAP_VARIANT_H

#define ISAP_RATE 18                         /* r_H, in bytes */
#define ISAP_IV UINT64_C(0x0080900110010808) /* except its first byte */
#define ISAP_S_H 16
#define ISAP_S_B 1
#define ISAP_S_E 8
#define ISAP_S_K 8

/* s_B is 1: one function for all bits saves calls. */
#define KECCAK_BIT_BY_BIT

#endif
