/*
 * Several cells of SKINNY at a time, a byte each, and how tweakeys are permuted.
 *
 * References: "The SKINNY Family" (2016), section 2 (see skinny128.h); same names.
 */
#ifndef PENNYWEIGHT_SKINNY_PACKED_H
#define PENNYWEIGHT_SKINNY_PACKED_H

#include <limits.h>
#include <stdint.h>

#include "flash.h"

/* The cells that are substituted at once: as many as fit into a register. */
#if UINT_MAX > 0xffff
typedef uint32_t cells;
#else
typedef uint8_t cells;
#endif

/* The bits `mask` of all cells. */
#define BITS(mask) ((cells)(UINT32_C(0x01010101) * (mask)))

/* How P_T permutes a half of a tweakey when it becomes the first one. */
static const uint8_t permutation[8] IN_FLASH = {1, 7, 0, 5, 2, 6, 4, 3};

#endif
