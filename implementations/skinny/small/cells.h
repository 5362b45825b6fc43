/*
 * Shared by both directions of SKINNY-128 optimised for code size.
 *
 * References: "The SKINNY Family" (2016), section 2 (see skinny128.h); same names.
 */
#ifndef PENNYWEIGHT_SKINNY128_CELLS_H
#define PENNYWEIGHT_SKINNY128_CELLS_H

#include <stdint.h>

#include "packed.h"

/* The state: bytes by rows, and the words that are substituted at once. */
typedef union {
    uint8_t bytes[16];
    cells cells[16 / sizeof(cells)];
} state;

/* Copies a few bytes. */
static void copy(uint8_t *to, const uint8_t *from, uint8_t length)
{
    while (length-- != 0) {
        *to++ = *from++;
    }
}

#endif
