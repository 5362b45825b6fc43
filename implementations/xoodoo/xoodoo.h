/*
 * The permutation Xoodoo[12], and its state.
 *
 * References: J. Daemen, S. Hoffert, M. Peeters, G. Van Assche, R. Van Keer, "Xoodyak, a
 * lightweight cryptographic scheme" (v2, 2021), the permutation Xoodoo; same names.
 *
 *   xoodoo_state    three planes of four lanes, plane by plane; lanes are in memory with the least
 *                   significant byte first
 *   xoodoo_permute  the 12 rounds, in place
 */
#ifndef PENNYWEIGHT_XOODOO_H
#define PENNYWEIGHT_XOODOO_H

#include <stddef.h>
#include <stdint.h>

#include "unit.h"

#define XOODOO_BYTES 48
#define XOODOO_ROUNDS 12

typedef union {
    uint8_t bytes[XOODOO_BYTES];
    uint32_t lanes[XOODOO_BYTES / 4];
    unit units[XOODOO_BYTES / sizeof(unit)];
} xoodoo_state;

void xoodoo_permute(xoodoo_state *state);

#include "native/native.h"

#endif
