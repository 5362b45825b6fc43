/*
 * Keccak-p[200, n] in bytes, optimised for code size.
 *
 * References: FIPS 202 (2015), section 3.3.
 */
#include "constants.h"
#include "flash.h"
#include "keccak200.h"

#define LANE uint8_t
#define LANE_BITS 8
#include "small/round.h"

void keccak200_permute(uint8_t *state, uint8_t rounds)
{
    static const uint8_t constants[KECCAK200_ROUNDS] IN_FLASH = {KECCAK200_CONSTANTS};

    for (uint8_t i = (uint8_t)(KECCAK200_ROUNDS - rounds); i < KECCAK200_ROUNDS; i++) {
        keccak_round(state);
        state[0] ^= flash_u8(&constants[i]);
    }
}
