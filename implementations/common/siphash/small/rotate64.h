/*
 * Rotations of 64-bit words in little code: on AVR by bytes and then by bits, in loops.
 *
 * References: none beyond C11.
 */
#if !defined(__AVR__)
#include "../../util/rotate64.h"
#elif !defined(PENNYWEIGHT_SIPHASH_SMALL_ROTATE64_H)
#define PENNYWEIGHT_SIPHASH_SMALL_ROTATE64_H

#include <stdint.h>

#include "inline.h"

/* `x` rotated left by `n` bits, a public number. */
NEVER_INLINE uint64_t rotl64(uint64_t x, uint8_t n)
{
    union {
        uint64_t word;
        uint8_t bytes[8];
    } w = {x};
    uint8_t *const b = w.bytes;

    while (n >= 8) {
        const uint8_t last = b[7];

        for (uint8_t i = 7; i != 0; i--) {
            b[i] = b[i - 1];
        }
        b[0] = last;
        n = (uint8_t)(n - 8);
    }
    for (; n != 0; n--) {
        uint8_t carry = b[7] >> 7;

        for (uint8_t i = 0; i < 8; i++) {
            const uint8_t byte = b[i];

            b[i] = (uint8_t)((unsigned)byte << 1 | carry);
            carry = byte >> 7;
        }
    }
    return w.word;
}

#endif
