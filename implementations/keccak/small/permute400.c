/*
 * Keccak-p[400, n] in words of 16 bits, optimised for code size.
 *
 * References: FIPS 202 (2015), section 3.3.
 */
#include "constants.h"
#include "flash.h"
#include "keccak400.h"

#define LANE uint16_t
#define LANE_BITS 16
#include "small/round.h"

void keccak400_permute(keccak400_state *state, uint8_t rounds)
{
    static const uint16_t constants[KECCAK400_ROUNDS] IN_FLASH = {KECCAK400_CONSTANTS};

    for (uint8_t i = (uint8_t)(KECCAK400_ROUNDS - rounds); i < KECCAK400_ROUNDS; i++) {
        keccak_round(state->a);
        state->a[0] ^= flash_u16(&constants[i]);
    }
}
