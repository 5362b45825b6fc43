/*
 * Ketje Sr.
 *
 * References: "CAESAR submission: Ketje v2" (2016), section 4 (see aead_state.h).
 */
#ifndef PENNYWEIGHT_KETJE_VARIANT_H
#define PENNYWEIGHT_KETJE_VARIANT_H

#define KETJE_LANE_BYTES 2
#define KETJE_BLOCK 4 /* rho, in bytes */

/* The constants of iota: in constants.h, their type, and how to read them in flash. */
#define KETJE_CONSTANTS KECCAK400_CONSTANTS
#define KETJE_CONSTANT uint16_t
#define KETJE_FLASH flash_u16

#endif
