/*
 * The steps of ACORN-128 on one row of bits, 8 at once, optimised for code size.
 *
 * References: H. Wu, "ACORN: A Lightweight Authenticated Cipher (v3)" (2016), section 1.3; same
 * names.
 */
#include "acorn.h"

#include "bytes.h"
#include "flash.h"
#include "inline.h"

/* The bits added to bits 289, 230, 193, 154, 107 and 61: two each, the second of which is the next
 * destination. */
static const uint8_t feedback[12] IN_FLASH = {235, 230, 196, 193, 160, 154,
                                              111, 107, 66,  61,  23,  0};

/* Bits n to n + 7. */
NEVER_INLINE uint8_t from(const acorn_state *state, uint8_t n)
{
    const uint8_t *const p = state->s + n / 8;

    return (uint8_t)((p[0] | (unsigned)p[1] << 8) >> n % 8);
}

uint8_t acorn_steps_8(acorn_state *state, uint8_t input, acorn_control control)
{
    uint8_t fixed[6];  /* S_235, S_196, S_160, S_111, S_66, S_23 */
    uint8_t summed[6]; /* S_289 less itself, S_230, S_193, S_154, S_107, S_61 after their sums */
    uint8_t lower = 0, ks, f;
    uint16_t to = 289;

    for (uint8_t i = 0; i < 6; i++) {
        const uint8_t n = flash_u8(&feedback[2 * i + 1]);
        uint8_t *const p = state->s + to / 8;
        uint16_t sum;

        fixed[i] = from(state, flash_u8(&feedback[2 * i]));
        summed[i] = lower ^ fixed[i];
        lower = from(state, n);
        summed[i] ^= lower;
        sum = (uint16_t)((unsigned)(fixed[i] ^ lower) << to % 8);
        p[0] = (uint8_t)(p[0] ^ sum);
        p[1] = (uint8_t)(p[1] ^ sum >> 8);
        to = n;
    }
    ks = from(state, 12) ^ summed[3] ^ ACORN_MAJ(fixed[0], summed[5], summed[2]) ^
         ACORN_CH(summed[1], fixed[3], fixed[4]);
    f = (uint8_t)(lower ^ ~summed[4] ^ ACORN_MAJ(from(state, 244), fixed[5], fixed[2]) ^
                  ACORN_IF(control, ACORN_CA, fixed[1]) ^ ACORN_IF(control, ACORN_CB, ks) ^ input ^
                  ACORN_IF(control, ACORN_DECRYPT, ks));
    for (uint8_t i = 0; i < sizeof state->s - 1; i++) {
        state->s[i] = state->s[i + 1];
        NO_LIBRARY_CALL();
    }
    /* Bit 293 is bit 285 now. */
    state->s[35] = (uint8_t)(state->s[35] ^ f << 5);
    state->s[36] = (uint8_t)(state->s[36] ^ f >> 3);
    state->s[37] = 0;
    return ks;
}
