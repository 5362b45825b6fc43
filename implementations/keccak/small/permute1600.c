/*
 * Keccak-f[1600] optimised for code size, where 64-bit lanes are smallest.
 *
 * References: FIPS 202 (2015), sections 3.2.5 and 3.3.
 */
#include "constants.h"
#include "flash.h"
#include "keccak1600.h"

#if KECCAK1600_WORD == 64

#define LANE uint64_t
#define LANE_BITS 64
#include "small/round.h"

static const uint8_t constants[KECCAK1600_ROUNDS] IN_FLASH = {KECCAK1600_CONSTANTS};

void keccak1600_permute(keccak1600_state *state)
{
    for (uint8_t i = 0; i < KECCAK1600_ROUNDS; i++) {
        uint8_t c = flash_u8(&constants[i]);

        keccak_round(state->a);
        for (uint8_t bit = 1; bit <= 64; bit = (uint8_t)(bit + bit)) {
            if ((c & 1) != 0) {
                state->a[0] ^= UINT64_C(1) << (bit - 1);
            }
            c >>= 1;
        }
    }
}

#endif
