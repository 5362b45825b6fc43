/*
 * Keccak-p[200, n] and Keccak-p[400, n] in straight code, for states of two halves.
 *
 * References: FIPS 202 (2015), section 3.3.
 */
#include "ketje.h"

#include "keccak_lane.h"

#include "constants.h"
#include "flash.h"
#include "round.h"

/* A round with the constant `c`, from `a` to `e`. */
NEVER_INLINE void ketje_round(ketje_lane *e, const ketje_lane *a, KETJE_CONSTANT c)
{
    keccak_round(e, a);
    e[0] ^= KETJE_LANE(c);
}

void ketje_permute(ketje_state *state, uint8_t rounds)
{
    static const KETJE_CONSTANT constants[] IN_FLASH = {KETJE_CONSTANTS};
    enum { ALL = sizeof constants / sizeof constants[0] };

    for (uint8_t i = (uint8_t)(ALL - rounds); i < ALL; i++) {
        const uint8_t current = state->current;

        ketje_round(state->a[1 - current], state->a[current], KETJE_FLASH(&constants[i]));
        state->current = (uint8_t)(1 - current);
    }
}
