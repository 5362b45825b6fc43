/*
 * The steps of ACORN-128 on words, 32 or 8 at once.
 *
 * References: H. Wu, "ACORN: A Lightweight Authenticated Cipher (v3)" (2016), section 1.3; same
 * names.
 */
#include "acorn.h"

/* Bits n to n + 31 of a register, 0 < n < 32. */
ALWAYS_INLINE uint32_t from(const acorn_register *r, unsigned n)
{
    return r->low >> n | r->high << (32 - n);
}

/* The register of `bits` bits, shifted down by `steps` bits, with `next` appended. */
ALWAYS_INLINE void shift(acorn_register *r, unsigned bits, unsigned steps, uint32_t next)
{
    if (steps == 32) {
        r->low = r->high | next << (bits - 32);
        r->high = next >> (64 - bits);
    } else {
        r->low = r->low >> steps | r->high << (32 - steps);
        r->high >>= steps;
        if (bits - steps >= 32) {
            r->high |= next << (bits - steps - 32);
        } else {
            r->low |= next << (bits - steps);
            r->high |= next >> (32 - (bits - steps));
        }
    }
}

/* Runs `steps` steps, 8 or 32, in the lowest bits of words. */
ALWAYS_INLINE uint32_t acorn_steps(acorn_state *state, uint32_t input, acorn_control control,
                                   unsigned steps)
{
    const uint32_t all = UINT32_C(0xffffffff) >> (32 - steps);
    const uint32_t s66 = from(&state->r61, 5), s111 = from(&state->r107, 4);
    const uint32_t s160 = from(&state->r154, 6), s196 = from(&state->r193, 3);
    const uint32_t s235 = from(&state->r230, 5), s23 = from(&state->r0, 23);
    const uint32_t s230 = state->r230.low ^ s196 ^ state->r193.low;
    const uint32_t s193 = state->r193.low ^ s160 ^ state->r154.low;
    const uint32_t s154 = state->r154.low ^ s111 ^ state->r107.low;
    const uint32_t s107 = state->r107.low ^ s66 ^ state->r61.low;
    const uint32_t s61 = state->r61.low ^ s23 ^ state->r0.low;
    const uint32_t ks =
        from(&state->r0, 12) ^ s154 ^ ACORN_MAJ(s235, s61, s193) ^ ACORN_CH(s230, s111, s66);
    const uint32_t f = (state->r0.low ^ ~s107 ^ ACORN_MAJ(from(&state->r230, 14), s23, s160) ^
                        ACORN_IF(control, ACORN_CA, s196) ^ ACORN_IF(control, ACORN_CB, ks) ^
                        input ^ ACORN_IF(control, ACORN_DECRYPT, ks)) &
                       all;
    const uint32_t s289 = state->r289 ^ f << 4 ^ s235 ^ state->r230.low;

    state->r289 = f >> (steps - 4);
    shift(&state->r0, 61, steps, s61 & all);
    shift(&state->r61, 46, steps, s107 & all);
    shift(&state->r107, 47, steps, s154 & all);
    shift(&state->r154, 39, steps, s193 & all);
    shift(&state->r193, 37, steps, s230 & all);
    shift(&state->r230, 59, steps, s289 & all);
    return ks & all;
}

uint8_t acorn_steps_8(acorn_state *state, uint8_t input, acorn_control control)
{
    return (uint8_t)acorn_steps(state, input, control, 8);
}

uint32_t acorn_steps_32(acorn_state *state, uint32_t input, acorn_control control)
{
    return acorn_steps(state, input, control, 32);
}
