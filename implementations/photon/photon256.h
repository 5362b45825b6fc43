/*
 * The permutation PHOTON-256, with its common interface.
 *
 * References: Z. Bao, A. Chakraborti, N. Datta, J. Guo, M. Nandi, T. Peyrin, K. Yasuda,
 * "PHOTON-Beetle Authenticated Encryption and Hash Family" (2021), chapter 2; same names.
 *
 * The state X has 8 rows of 8 cells of 4 bits. As bytes, row i is bytes 4 i to 4 i + 3, and of two
 * cells in a byte the first is the less significant one. Here a row is a word; bit j of byte p
 * (counted from the least significant) is bit p of cell j: the row's four slices.
 */
#ifndef PENNYWEIGHT_PHOTON256_H
#define PENNYWEIGHT_PHOTON256_H

#include <stdint.h>

#include "rows.h"

#define PHOTON256_BYTES 32
#define PHOTON256_ROWS 8

typedef union {
    uint32_t rows[PHOTON256_ROWS];
    uint8_t bytes[PHOTON256_BYTES]; /* the rows' bytes in the machine's order */
} photon256_state;

/* Applies PHOTON-256. */
void photon256_permute(photon256_state *x);

#endif
