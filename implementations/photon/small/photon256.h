/*
 * The permutation PHOTON-256 on the state of the specification, optimised for code size.
 *
 * References: Z. Bao, A. Chakraborti, N. Datta, J. Guo, M. Nandi, T. Peyrin, K. Yasuda,
 * "PHOTON-Beetle Authenticated Encryption and Hash Family" (2021), chapter 2; same names.
 */
#ifndef PENNYWEIGHT_PHOTON256_H
#define PENNYWEIGHT_PHOTON256_H

#include <limits.h>
#include <stdint.h>

#define PHOTON256_BYTES 32
#define PHOTON256_ROWS 8

/* The cells that are substituted at once: as many as fit into a register. */
#if UINT_MAX > 0xffff
typedef uint32_t photon256_cells;
#else
typedef uint8_t photon256_cells;
#endif

/* The state X has 8 rows of 8 cells of 4 bits, of which the first is the least significant. */
typedef union {
    uint32_t rows[PHOTON256_ROWS];
    uint8_t bytes[PHOTON256_BYTES]; /* see photon256_byte */
    photon256_cells cells[PHOTON256_BYTES / sizeof(photon256_cells)];
} photon256_state;

/* Byte `i` of the state. */
static inline uint8_t *photon256_byte(photon256_state *x, uint8_t i)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    i ^= 3;
#endif
    return &x->bytes[i];
}

/* Applies PHOTON-256. */
void photon256_permute(photon256_state *x);

#endif
