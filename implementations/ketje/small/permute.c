/*
 * Keccak-p[200, n] and Keccak-p[400, n] optimised for code size.
 *
 * References: FIPS 202 (2015), section 3.3.
 */
#include "ketje.h"

#include "constants.h"
#include "flash.h"

#define LANE ketje_lane
#define LANE_BITS (8 * KETJE_LANE_BYTES)
#include "small/round.h"

void ketje_permute(ketje_state *state, uint8_t rounds)
{
    static const KETJE_CONSTANT constants[] IN_FLASH = {KETJE_CONSTANTS};
    enum { ALL = sizeof constants / sizeof constants[0] };

    for (uint8_t i = (uint8_t)(ALL - rounds); i < ALL; i++) {
        keccak_round(state->a);
        state->a[0] ^= KETJE_FLASH(&constants[i]);
    }
}
