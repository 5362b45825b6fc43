/*
 * The permutation of NORX32 with one round unrolled. Four of the sixteen words at a time are in
 * registers, as many as ARMv6-M has registers for, and AVR as bytes.
 *
 * References: J.-P. Aumasson, P. Jovanovic, S. Neves, "NORX v3.0" (2016), section 3.4; same
 * names.
 */
#define NORX_COUNT
#include "norx.h"

#include "keep.h"
#include "order.h"

/* G on four words of the state. */
#define G(i, j, k, l)                                                                              \
    do {                                                                                           \
        uint32_t a = little_endian32(s[i]), b = little_endian32(s[j]);                             \
        uint32_t c = little_endian32(s[k]), d = little_endian32(s[l]);                             \
                                                                                                   \
        NORX_G(a, b, c, d);                                                                        \
        s[i] = little_endian32(a);                                                                 \
        s[j] = little_endian32(b);                                                                 \
        s[k] = little_endian32(c);                                                                 \
        s[l] = little_endian32(d);                                                                 \
        KEEP_POINTER(s);                                                                           \
    } while (0)

void norx_permute(uint32_t s[16])
{
    NORX_ROTATION;

    for (uint8_t n = 0; n < NORX_ROUNDS; n++) {
        G(0, 4, 8, 12);
        G(1, 5, 9, 13);
        G(2, 6, 10, 14);
        G(3, 7, 11, 15);
        G(0, 5, 10, 15);
        G(1, 6, 11, 12);
        G(2, 7, 8, 13);
        G(3, 4, 9, 14);
    }
}
