/*
 * The steps of ACORN-128 on one row of bits, 8 at once, in little code.
 *
 * References: H. Wu, "ACORN: A Lightweight Authenticated Cipher (v3)" (2016), section 1.3; names as
 * there.
 */
#include "acorn.h"

#include "inline.h"

/* Bits n to n + 7. */
NEVER_INLINE uint8_t from(const acorn_state *state, unsigned n)
{
    const uint8_t *const p = state->s + n / 8;

    return (uint8_t)((p[0] | (unsigned)p[1] << 8) >> n % 8);
}

/* Adds 8 bits to bits n to n + 7. */
NEVER_INLINE void add(acorn_state *state, unsigned n, uint8_t bits)
{
    const unsigned pair = (unsigned)bits << n % 8;
    uint8_t *const p = state->s + n / 8;

    p[0] = (uint8_t)(p[0] ^ pair);
    p[1] = (uint8_t)(p[1] ^ pair >> 8);
}

uint8_t acorn_steps_8(acorn_state *state, uint8_t input, acorn_control control)
{
    const uint8_t s196 = from(state, 196), s160 = from(state, 160), s111 = from(state, 111);
    const uint8_t s66 = from(state, 66), s23 = from(state, 23), s235 = from(state, 235);
    uint8_t ks, f;

    add(state, 289, s235 ^ from(state, 230));
    add(state, 230, s196 ^ from(state, 193));
    add(state, 193, s160 ^ from(state, 154));
    add(state, 154, s111 ^ from(state, 107));
    add(state, 107, s66 ^ from(state, 61));
    add(state, 61, s23 ^ state->s[0]);
    {
        const uint8_t s61 = from(state, 61), s193 = from(state, 193);

        ks = from(state, 12) ^ from(state, 154) ^ ACORN_MAJ(s235, s61, s193) ^
             ACORN_CH(from(state, 230), s111, s66);
    }
    f = (uint8_t)(state->s[0] ^ ~from(state, 107) ^ ACORN_MAJ(from(state, 244), s23, s160) ^
                  (control.ca & s196) ^ (control.cb & ks) ^ input ^ (control.decrypt & ks));
    add(state, 293, f);
    for (uint8_t i = 0; i < sizeof state->s - 1; i++) {
        state->s[i] = state->s[i + 1];
    }
    state->s[sizeof state->s - 1] = 0;
    return ks;
}
