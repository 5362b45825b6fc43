/*
 * The mixing function of BLAKE2.
 *
 * References: RFC 7693 (2015), section 3.1; same names.
 */
#ifndef PENNYWEIGHT_BLAKE2_G_H
#define PENNYWEIGHT_BLAKE2_G_H

#include "variant.h"

/* G on words a, b, c, d, in place, with the words x and y of the message. */
#define BLAKE2_G(a, b, c, d, x, y)                                                                 \
    do {                                                                                           \
        (a) = BLAKE2_ADD3(a, b, x);                                                                \
        (d) = BLAKE2_ROTATE((d) ^ (a), BLAKE2_R1);                                                 \
        (c) = BLAKE2_ADD(c, d);                                                                    \
        (b) = BLAKE2_ROTATE((b) ^ (c), BLAKE2_R2);                                                 \
        (a) = BLAKE2_ADD3(a, b, y);                                                                \
        (d) = BLAKE2_ROTATE((d) ^ (a), BLAKE2_R3);                                                 \
        (c) = BLAKE2_ADD(c, d);                                                                    \
        (b) = BLAKE2_ROTATE((b) ^ (c), BLAKE2_R4);                                                 \
    } while (0)

#endif
