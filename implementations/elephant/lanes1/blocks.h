/*
 * Elephant's operations one block at a time.
 *
 * References: "Elephant v2" (2021), section 2 (see aead_state.h).
 */
#ifndef PENNYWEIGHT_ELEPHANT_BLOCKS_H
#define PENNYWEIGHT_ELEPHANT_BLOCKS_H

#include "block.h"

#define elephant_crypt elephant_crypt_block
#define elephant_authenticate elephant_authenticate_block

#endif
