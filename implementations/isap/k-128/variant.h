/*
 * ISAP-K-128: on Keccak-p[400, n].
 *
 * References: "ISAP v2.0" (2021), section 2 (see aead_state.h).
 */
#ifndef PENNYWEIGHT_ISAP_VARIANT_H
#define PENNYWEIGHT_ISAP_VARIANT_H

#define ISAP_RATE 18                         /* r_H, in bytes */
#define ISAP_IV UINT64_C(0x00809001140c0c0c) /* except its first byte */
#define ISAP_S_H 20
#define ISAP_S_B 12
#define ISAP_S_E 12
#define ISAP_S_K 12

#endif
