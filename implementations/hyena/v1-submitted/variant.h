/*
 * Version 1 as in the submitted reference code, which omits the last byte of Delta.
 *
 * References: A. Chakraborti, N. Datta, A. Jha, M. Nandi, "HyENA" (submission to
 * NIST's lightweight cryptography project, round 2, 2019); A. Chakraborti et al., "From Combined to
 * Hybrid" (ToSC 2020, S1) for version 2.
 */
#ifndef PENNYWEIGHT_HYENA_VARIANT_H
#define PENNYWEIGHT_HYENA_VARIANT_H

#define HYENA_VERSION 1

/* Bytes of Delta that are added to a block. */
#define HYENA_DELTA_BYTES 7

#endif
