/*
 * The constants of Spongent-pi, in the bit orders in which rounds begin.
 *
 * References: "Elephant v2" (2021), section 2 (see spongent.h); permute.c, where the orders are
 * explained.
 *
 * SPONGENT_CONSTANTS are the values of lCounter, the LFSR of 7 bits x^7 + x^6 + 1 (spongent_next):
 * four bytes for two rounds. They are added to the first byte and to the last byte in the usual
 * order, and those of the next value in the other order.
 */
#ifndef PENNYWEIGHT_SPONGENT_CONSTANTS_H
#define PENNYWEIGHT_SPONGENT_CONSTANTS_H

#include "spongent.h"

/* A byte's bit 7 - i as bit i; bits 1 and 4 exchanged, and bits 3 and 6. */
#define REVERSED(x)                                                                                \
    (((x) & 0x01) << 7 | ((x) & 0x02) << 5 | ((x) & 0x04) << 3 | ((x) & 0x08) << 1 |               \
     ((x) & 0x10) >> 1 | ((x) & 0x20) >> 3 | ((x) & 0x40) >> 5 | ((x) & 0x80) >> 7)
#define OTHER(x) (((x) & 0xa5) | ((x) & 0x0a) << 3 | ((x) & 0x50) >> 3)

#define TWO(c, next) c, REVERSED(c), OTHER(next), OTHER(REVERSED(next))

/* clang-format off */

#if SPONGENT_ROUNDS == 90
#define FIRST_TEN                                                                                  \
    TWO(0x45, 0x0b), TWO(0x16, 0x2c), TWO(0x59, 0x33), TWO(0x67, 0x4e), TWO(0x1d, 0x3a),
#else
#define FIRST_TEN
#endif

#define SPONGENT_CONSTANTS                                                                         \
    FIRST_TEN                                                                                      \
    TWO(0x75, 0x6a), TWO(0x54, 0x29), TWO(0x53, 0x27), TWO(0x4f, 0x1f), TWO(0x3e, 0x7d),           \
    TWO(0x7a, 0x74), TWO(0x68, 0x50), TWO(0x21, 0x43), TWO(0x07, 0x0e), TWO(0x1c, 0x38),           \
    TWO(0x71, 0x62), TWO(0x44, 0x09), TWO(0x12, 0x24), TWO(0x49, 0x13), TWO(0x26, 0x4d),           \
    TWO(0x1b, 0x36), TWO(0x6d, 0x5a), TWO(0x35, 0x6b), TWO(0x56, 0x2d), TWO(0x5b, 0x37),           \
    TWO(0x6f, 0x5e), TWO(0x3d, 0x7b), TWO(0x76, 0x6c), TWO(0x58, 0x31), TWO(0x63, 0x46),           \
    TWO(0x0d, 0x1a), TWO(0x34, 0x69), TWO(0x52, 0x25), TWO(0x4b, 0x17), TWO(0x2e, 0x5d),           \
    TWO(0x3b, 0x77), TWO(0x6e, 0x5c), TWO(0x39, 0x73), TWO(0x66, 0x4c), TWO(0x19, 0x32),           \
    TWO(0x65, 0x4a), TWO(0x15, 0x2a), TWO(0x55, 0x2b), TWO(0x57, 0x2f), TWO(0x5f, 0x3f)

/* clang-format on */

#endif
