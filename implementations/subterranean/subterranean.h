/*
 * The duplex object of Subterranean 2.0.
 *
 * References: J. Daemen, P. M. C. Massolino, A. Mehrdad, Y. Rotella, "The Subterranean 2.0 Cipher
 * Suite" (submission to NIST's lightweight cryptography project, round 2, 2019; ToSC 2020, S1),
 * section 2; same names.
 *
 * The state's bits are never permuted by pi. Bit i of the specification is bit i f mod 257 here,
 * where `step` is f: pi multiplies f by 12. So neighbours in chi and theta are f apart, and
 * rotations of the whole state align all of them.
 */
#ifndef PENNYWEIGHT_SUBTERRANEAN_H
#define PENNYWEIGHT_SUBTERRANEAN_H

#include <stdint.h>

#include "unit.h"

enum {
    SUBTERRANEAN_BITS = 257,
    SUBTERRANEAN_UNIT_BITS = 8 * sizeof(subterranean_unit),
    SUBTERRANEAN_UNITS = SUBTERRANEAN_BITS / SUBTERRANEAN_UNIT_BITS + 1,
};

typedef struct {
    subterranean_unit s[SUBTERRANEAN_UNITS]; /* bit 0 of unit 0 is the first */
    uint16_t step;                           /* f */
#ifdef SUBTERRANEAN_COUNTS_ROUNDS
    uint8_t rounds; /* r mod 256, where f = 12^r */
#endif
} subterranean;

/* All bits are zero. */
void subterranean_init(subterranean *x);

/* One round, then absorbs n <= 4 bytes, the first of which is the least significant of `sigma`,
 * whose other bits are zero. */
void subterranean_duplex(subterranean *x, uint32_t sigma, uint8_t n);

/* Eight times duplex without input. */
void subterranean_blank(subterranean *x);

/* 32 bits of output, the first the least significant. */
uint32_t subterranean_extract(const subterranean *x);

#endif
