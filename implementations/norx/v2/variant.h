/*
 * NORX32-4-1 of version 2.0.
 *
 * References: J.-P. Aumasson, P. Jovanovic, S. Neves, "NORX v2.0" (2015), section 2.
 */
#ifndef PENNYWEIGHT_NORX_VARIANT_H
#define PENNYWEIGHT_NORX_VARIANT_H

/* The first row of the state is the nonce and two constants. */
#define NORX_NONCE_BYTES 8

/* The key enters at the beginning only; the tag is the first row. */
#define NORX_BLINDED 0

#endif
