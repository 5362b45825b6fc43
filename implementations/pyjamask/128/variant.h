/*
 * Pyjamask-128.
 *
 * References: D. Goudarzi, J. Jean, S. Kölbl, T. Peyrin, M. Rivain, Y. Sasaki, S. M. Sim, "Pyjamask
 * v1.0" (submission to NIST's lightweight cryptography project, round 2, 2019), section 2.
 */
#ifndef PENNYWEIGHT_PYJAMASK_VARIANT_H
#define PENNYWEIGHT_PYJAMASK_VARIANT_H

/* Rows of 32 bits in a block. */
#define PYJAMASK_ROWS 4

#endif
