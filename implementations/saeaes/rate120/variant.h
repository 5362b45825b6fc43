/*
 * SAEAES with blocks of 120 bits of associated data.
 *
 * References: Y. Naito, M. Matsui, Y. Sakai, D. Suzuki, K. Sakiyama, T. Sugawara, "SAEAES"
 * (submission to NIST's lightweight cryptography project, round 2, 2019).
 */
#ifndef PENNYWEIGHT_SAEAES_VARIANT_H
#define PENNYWEIGHT_SAEAES_VARIANT_H

#define SAEAES_AD_RATE 15

#endif
