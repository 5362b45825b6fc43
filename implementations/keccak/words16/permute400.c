/*
 * Keccak-p[400, n] in words of 16 bits, in straight code.
 *
 * References: FIPS 202 (2015), section 3.3.
 */
#include "lanes/words16.h"

#include "constants.h"
#include "flash.h"
#include "keccak400.h"
#include "round.h"
#include "variant.h"

/* A round with the constant `c`, from `a` to `e`. */
NEVER_INLINE void keccak400_round(uint16_t *e, const uint16_t *a, uint16_t c)
{
    keccak_round(e, a);
    e[0] ^= c;
}

/* Puts the lanes at `a` into `state`. */
static void put(keccak400_state *state, const uint16_t *a)
{
    for (uint8_t i = 0; i < KECCAK400_LANES; i++) {
        state->a[i] = a[i];
    }
}

void keccak400_permute(keccak400_state *state, uint8_t rounds)
{
    static const uint16_t constants[KECCAK400_ROUNDS] IN_FLASH = {KECCAK400_CONSTANTS};
    const uint16_t *constant = &constants[KECCAK400_ROUNDS - rounds];
    uint16_t other[KECCAK400_LANES];

    for (; rounds >= 2; rounds = (uint8_t)(rounds - 2)) {
        keccak400_round(other, state->a, flash_u16(constant++));
        keccak400_round(state->a, other, flash_u16(constant++));
    }
    if (rounds != 0) {
        keccak400_round(other, state->a, KECCAK400_LAST_CONSTANT);
        put(state, other);
    }
}

#ifdef KECCAK_BIT_BY_BIT

void keccak400_absorb_bits(keccak400_state *state, const uint8_t *bits)
{
    uint16_t other[KECCAK400_LANES];

    for (uint8_t left = 128;;) {
        uint8_t byte = *bits++;

        do {
            state->a[0] ^= byte & 0x80;
            keccak400_round(other, state->a, KECCAK400_LAST_CONSTANT);
            other[0] ^= (uint16_t)((byte & 0x40u) << 1);
            left = (uint8_t)(left - 2);
            if (left == 0) {
                put(state, other);
                return;
            }
            keccak400_round(state->a, other, KECCAK400_LAST_CONSTANT);
            byte = (uint8_t)(byte << 2);
        } while (left % 8 != 0);
    }
}

#endif
