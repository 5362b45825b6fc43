/*
 * Keccak-p[200, n] in words that hold four copies of a lane.
 *
 * References: FIPS 202 (2015), section 3.3.
 */
#include "keccak200.h"

#include "native/native.h"

#if !KECCAK200_NATIVE

#define KECCAK_LANE_BITS 8
#include "lanes/copies32.h"

#include "constants.h"
#include "keep.h"

#define COPIES_OF(c) ((c) * UINT32_C(0x01010101))

#if defined(__ARM_ARCH_ISA_THUMB) && __ARM_ARCH_ISA_THUMB == 2

#include "turned200.h"

#else

#include "round.h"

#define keccak200_round keccak_round

/* Converts a state's bytes to lanes. */
ALWAYS_INLINE void keccak200_load(uint32_t *a, const uint8_t *state)
{
    for (uint8_t i = 0; i < KECCAK200_BYTES; i++) {
        a[i] = COPIES_OF(state[i]);
    }
}

/* Converts lanes to bytes. */
ALWAYS_INLINE void keccak200_store(uint8_t *state, const uint32_t *a)
{
    for (uint8_t i = 0; i < KECCAK200_BYTES; i++) {
        state[i] = (uint8_t)a[i];
    }
}

#endif

void keccak200_permute(uint8_t *state, uint8_t rounds)
{
    static const uint8_t constants[KECCAK200_ROUNDS] = {KECCAK200_CONSTANTS};
    uint32_t lanes[2][KECCAK200_BYTES];
    uint32_t *a = lanes[0], *e = lanes[1];
    const uint32_t *result = a;

    keccak200_load(a, state);
    for (uint8_t i = (uint8_t)(KECCAK200_ROUNDS - rounds); i < KECCAK200_ROUNDS; i++) {
        KEEP_POINTER(a);
        keccak200_round(e, a);
        e[0] ^= COPIES_OF(constants[i]);
        i++;
        if (i == KECCAK200_ROUNDS) {
            result = e;
            break;
        }
        KEEP_POINTER(e);
        keccak200_round(a, e);
        a[0] ^= COPIES_OF(constants[i]);
    }
    keccak200_store(state, result);
}

#endif
