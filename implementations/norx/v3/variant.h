/*
 * NORX32-4-1 of version 3.0.
 *
 * References: J.-P. Aumasson, P. Jovanovic, S. Neves, "NORX v3.0" (2016), sections 3.4 and 3.5.
 */
#ifndef PENNYWEIGHT_NORX_VARIANT_H
#define PENNYWEIGHT_NORX_VARIANT_H

/* The first row of the state is the nonce. */
#define NORX_NONCE_BYTES 16

/* The key is added to the last row at the end of the initialisation and at both steps of the
 * finalisation; the tag is the last row. */
#define NORX_BLINDED 1

#endif
