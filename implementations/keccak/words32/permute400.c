/*
 * Keccak-p[400, n] in words that hold two copies of a lane.
 *
 * References: FIPS 202 (2015), section 3.3.
 */
#include "keccak400.h"

#include "native/native.h"
#include "variant.h"

#if !KECCAK400_NATIVE

#define KECCAK_LANE_BITS 16
#include "lanes/copies32.h"

#include "constants.h"
#include "round.h"

/* A round from `a` to `e`, which are swapped. */
#define ROUND(a, e, constant)                                                                      \
    do {                                                                                           \
        uint32_t *const from = a;                                                                  \
                                                                                                   \
        keccak_round(e, a);                                                                        \
        e[0] ^= KECCAK400_LANE(constant);                                                          \
        a = e;                                                                                     \
        e = from;                                                                                  \
    } while (0)

/* Copies the lanes at `a` to `state`unless `a` is its own array. */
static void put(keccak400_state *state, const uint32_t *a)
{
    if (a != state->a) {
        for (uint8_t i = 0; i < KECCAK400_LANES; i++) {
            state->a[i] = a[i];
        }
    }
}

void keccak400_permute(keccak400_state *state, uint8_t rounds)
{
    static const uint16_t constants[KECCAK400_ROUNDS] = {KECCAK400_CONSTANTS};
    uint32_t other[KECCAK400_LANES];
    uint32_t *a = state->a, *e = other;
    const uint16_t *constant = &constants[KECCAK400_ROUNDS - rounds];

    do {
        ROUND(a, e, *constant);
        constant++;
    } while (constant != &constants[KECCAK400_ROUNDS]);
    put(state, a);
}

#ifdef KECCAK_BIT_BY_BIT

void keccak400_absorb_bits(keccak400_state *state, const uint8_t *bits)
{
    uint32_t other[KECCAK400_LANES];
    uint32_t *a = state->a, *e = other;

    for (uint8_t i = 0; i < 127; i++) {
        a[0] ^= KECCAK400_LANE((uint32_t)bits[i / 8] << i % 8 & 0x80);
        ROUND(a, e, KECCAK400_LAST_CONSTANT);
    }
    put(state, a);
    state->a[0] ^= KECCAK400_LANE((uint32_t)bits[15] << 7 & 0x80);
}

#endif

#endif
