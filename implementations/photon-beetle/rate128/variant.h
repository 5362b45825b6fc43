/*
 * PHOTON-Beetle-AEAD with a rate of 128 bits.
 *
 * References: "PHOTON-Beetle" (2021), chapter 3.
 */
#ifndef PENNYWEIGHT_PHOTON_BEETLE_VARIANT_H
#define PENNYWEIGHT_PHOTON_BEETLE_VARIANT_H

#define BEETLE_RATE 16 /* bytes of a block */

#endif
