/*
 * The state of Xoodyak's hash between the calls of the incremental API.
 *
 * References: J. Daemen et al., "Xoodyak, a lightweight cryptographic scheme" (v2, 2021), the mode
 * Cyclist.
 */
#ifndef PENNYWEIGHT_XOODYAK_HASH_STATE_H
#define PENNYWEIGHT_XOODYAK_HASH_STATE_H

#include <stdint.h>

#include "pennyweight/hash.h"
#include "xoodoo.h"

struct hash_state {
    xoodoo_state s;
    uint8_t taken; /* bytes in the current block */
};

#endif
