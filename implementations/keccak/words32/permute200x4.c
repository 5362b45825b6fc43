/*
 * Keccak-f[200] of four states in parallel.
 *
 * References: FIPS 202 (2015), section 3.3.
 */
#include "keccak200.h"

#include "native/native.h"

#if !KECCAK200_NATIVE

#include "lanes/bytes_x4.h"

#include "constants.h"
#include "round.h"

void keccak200_permute4(uint32_t *states)
{
    static const uint8_t constants[KECCAK200_ROUNDS] = {KECCAK200_CONSTANTS};
    uint32_t lanes[KECCAK200_BYTES];
    uint32_t *e = lanes;

    for (uint8_t i = 0; i < KECCAK200_ROUNDS; i++) {
        keccak_round(e, states);
        e[0] ^= constants[i] * UINT32_C(0x01010101);
        i++;
        KEEP_POINTER(e);
        keccak_round(states, e);
        states[0] ^= constants[i] * UINT32_C(0x01010101);
    }
}

#endif
