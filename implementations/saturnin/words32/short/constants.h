/*
 * Round constants of Saturnin for SATURNIN-Short: domain 6 of 10 super-rounds.
 *
 * References: A. Canteaut, S. Duval, G. Leurent, M. Naya-Plasencia, L. Perrin, T. Pornin, A.
 * Schrottenloher, "Saturnin" (submission to NIST's lightweight cryptography project, round 2,
 * 2019), sections 2.1 and 2.3.
 */
#ifndef PENNYWEIGHT_SATURNIN_CONSTANTS_H
#define PENNYWEIGHT_SATURNIN_CONSTANTS_H

#include <stdint.h>

#include "flash.h"
#include "inline.h"

/* In constants.c: encryption and decryption share them. */
extern const uint32_t saturnin_constants_short[10];

/* The constants of the only domain, one for each super-round. */
ALWAYS_INLINE const uint32_t *constants_of(uint8_t rounds, uint8_t domain)
{
    (void)rounds;
    (void)domain;
    return saturnin_constants_short;
}

#endif
