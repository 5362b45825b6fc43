/*
 * PHOTON-256 in 32-bit words.
 *
 * References: "PHOTON-Beetle" (2021), chapter 2 (see photon256.h).
 */
#include "photon256.h"

#include "rounds.h"

void photon256_permute(photon256_state *x)
{
    photon256_rounds(x->rows);
}
