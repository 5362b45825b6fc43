/*
 * The steps of ACORN-128 on bytes, 8 at once.
 *
 * References: H. Wu, "ACORN: A Lightweight Authenticated Cipher (v3)" (2016), section 1.3;
 * same names. AVR Instruction Set Manual (DS40002198): MUL, which shifts by many bits at
 * once.
 */
#include "acorn.h"

#include "keep.h"

/* x >> n and x << n, 0 < n < 8. */
#define DOWN(x, n) ((uint8_t)((uint16_t)((uint16_t)(x) * (1u << (8 - (n)))) >> 8))
#define UP(x, n) ((uint8_t)((x) * (1u << (n))))

/* Bits n to n + 7 of a register, 0 < n < 64. */
#define FROM(r, n) ((uint8_t)(DOWN((r)[(n) / 8], (n) % 8) | UP((r)[(n) / 8 + 1], 8 - (n) % 8)))

/* The last bytes of a register, n and n + 1, shifted down by a byte, with the 8 bits `next`
 * appended after `bits` bits. */
#define SHIFT_LAST(r, n, bits, next)                                                               \
    do {                                                                                           \
        (r)[n] = (uint8_t)((r)[(n) + 1] | UP(next, bits));                                         \
        (r)[(n) + 1] = DOWN(next, 8 - (bits));                                                     \
    } while (0)

/* Registers of 5, 6 and 8 bytes, shifted down by a byte. */
#define SHIFT_5(r, bits, next)                                                                     \
    do {                                                                                           \
        (r)[0] = (r)[1], (r)[1] = (r)[2], (r)[2] = (r)[3];                                         \
        SHIFT_LAST(r, 3, bits, next);                                                              \
    } while (0)

#define SHIFT_6(r, bits, next)                                                                     \
    do {                                                                                           \
        (r)[0] = (r)[1], (r)[1] = (r)[2], (r)[2] = (r)[3], (r)[3] = (r)[4];                        \
        SHIFT_LAST(r, 4, bits, next);                                                              \
    } while (0)

#define SHIFT_8(r, bits, next)                                                                     \
    do {                                                                                           \
        (r)[0] = (r)[1], (r)[1] = (r)[2], (r)[2] = (r)[3], (r)[3] = (r)[4];                        \
        (r)[4] = (r)[5], (r)[5] = (r)[6];                                                          \
        SHIFT_LAST(r, 6, bits, next);                                                              \
    } while (0)

uint8_t acorn_steps_8(acorn_state *state, uint8_t input, acorn_control control)
{
    const uint8_t s66 = FROM(state->r61, 5), s111 = FROM(state->r107, 4);
    const uint8_t s160 = FROM(state->r154, 6), s196 = FROM(state->r193, 3);
    const uint8_t s235 = FROM(state->r230, 5), s23 = FROM(state->r0, 23);
    const uint8_t s230 = state->r230[0] ^ s196 ^ state->r193[0];
    const uint8_t s193 = state->r193[0] ^ s160 ^ state->r154[0];
    const uint8_t s154 = state->r154[0] ^ s111 ^ state->r107[0];
    const uint8_t s107 = state->r107[0] ^ s66 ^ state->r61[0];
    const uint8_t s61 = state->r61[0] ^ s23 ^ state->r0[0];
    const uint8_t ks =
        FROM(state->r0, 12) ^ s154 ^ ACORN_MAJ(s235, s61, s193) ^ ACORN_CH(s230, s111, s66);
    const uint8_t f =
        (uint8_t)(state->r0[0] ^ ~s107 ^ ACORN_MAJ(FROM(state->r230, 14), s23, s160) ^
                  ACORN_IF(control, ACORN_CA, s196) ^ ACORN_IF(control, ACORN_CB, ks) ^ input ^
                  ACORN_IF(control, ACORN_DECRYPT, ks));
    const uint8_t s289 = state->r289 ^ UP(f, 4) ^ s235 ^ state->r230[0];

    KEEP_POINTER(state);
    state->r289 = f >> 4;
    SHIFT_8(state->r0, 5, s61);
    SHIFT_6(state->r61, 6, s107);
    SHIFT_6(state->r107, 7, s154);
    SHIFT_5(state->r154, 7, s193);
    SHIFT_5(state->r193, 5, s230);
    SHIFT_8(state->r230, 3, s289);
    return ks;
}
