/*
 * PHOTON-256: rows of cells and rows of slices.
 *
 * References: "PHOTON-Beetle" (2021), chapter 2 (see photon256.h).
 */
#ifndef PENNYWEIGHT_PHOTON_ROWS_H
#define PENNYWEIGHT_PHOTON_ROWS_H

#include <stdint.h>

/* The row of slices for a row of cells: 4 bytes of the state, the first least significant. */
uint32_t photon256_to_row(uint32_t cells);

/* The row of cells for a row of slices. */
uint32_t photon256_from_row(uint32_t row);

#endif
