/*
 * GIFT-128 encryption, fixsliced.
 *
 * References: S. Banik et al., "GIFT-COFB v1.1" (2021), chapter 2; A. Adomnicai, Z. Najm,
 * T. Peyrin, "Fixslicing: A New GIFT Representation" (TCHES 2020), section 3.
 *
 * PermBits moves the bits of S_1, S_2 and S_0 one, two and three bytes further than those
 * of S_3. So S_3 can stay fixed if the other rows move relative to it: in fields of 4 bits
 * in the first round, of 16 in the second, and so on. After five rounds all bits are in
 * place.
 *
 * S_0, S_1 and S_2 are stored complemented between rounds, which makes the complement in SubCells
 * unnecessary; round keys and constants are complemented, too.
 */
#include "gift128.h"

#include "bits.h"
#include "constants.h"
#include "flash.h"
#include "order.h"
#include "rotate.h"

#if !GIFT128_NATIVE_ENCRYPT
static
#endif
    uint32_t gift128_constants[40] IN_RAM = {GIFT128_CONSTANTS};

#if !GIFT128_NATIVE_ENCRYPT

/* Loads three words before using any, where the registers suffice and the compiler does not
 * schedule instructions for the pipeline (gcc at -Os). */
#if defined(__GNUC__) && defined(__OPTIMIZE_SIZE__) && defined(__ARM_ARCH) && __ARM_ARCH >= 7
#define LOADED(x, y, z) __asm__("" : "+r"(x), "+r"(y), "+r"(z))
#else
#define LOADED(x, y, z) ((void)0)
#endif

/* SubCells. s0 becomes S_3, s3 becomes S_0. */
#define SUB_CELLS(s0, s1, s2, s3)                                                                  \
    do {                                                                                           \
        s1 ^= s0 | s2;                                                                             \
        KEEP(s1);                                                                                  \
        s0 ^= s1 & s3;                                                                             \
        KEEP(s0);                                                                                  \
        s2 ^= s0 & ~s1;                                                                            \
        KEEP(s2);                                                                                  \
        s3 ^= s2;                                                                                  \
        s1 ^= s3;                                                                                  \
        KEEP(s1);                                                                                  \
        s2 ^= s1 & ~s0;                                                                            \
        KEEP(s2);                                                                                  \
    } while (0)

/* AddRoundKey, for the i-th of five rounds. Consecutive loads take one cycle each on many cores. */
#define ADD_ROUND_KEY(s1, s2, s3, i)                                                               \
    do {                                                                                           \
        uint32_t u = round_key[2 * (i)], v = round_key[2 * (i) + 1], c = constant[i];              \
                                                                                                   \
        LOADED(u, v, c);                                                                           \
        s1 ^= u;                                                                                   \
        s2 ^= v;                                                                                   \
        s3 ^= c;                                                                                   \
    } while (0)

#if defined(GIFT128_TWEAKED)
void twegift128_encrypt(gift128_state *state, const gift128_key *key, uint8_t tweak)
#else
void gift128_encrypt(gift128_state *state, const gift128_key *key)
#endif
{
    const uint32_t *round_key = key->round;
    const uint32_t *constant = gift128_constants;
    uint32_t s0 = ~state->s[0], s1 = ~state->s[1], s2 = ~state->s[2], s3 = state->s[3], mask;

    do {
        SUB_CELLS(s0, s1, s2, s3);
        mask = LOW_BITS(3, 4);
        KEEP_AFTER(mask, s2);
        s3 = rotate_right(s3, 1, 4, mask);
        s2 = rotate_left(s2, 1, 4, mask);
        mask = LOW_BITS(2, 4);
        KEEP_AFTER(mask, s2);
        s1 = rotate_right(s1, 2, 4, mask);
        ADD_ROUND_KEY(s1, s2, s0, 0);

        SUB_CELLS(s3, s1, s2, s0);
        mask = LOW_BITS(12, 16);
        KEEP_AFTER(mask, s2);
        s0 = rotate_right(s0, 4, 16, mask);
        s2 = rotate_left(s2, 4, 16, mask);
        s1 = rotr32(reverse_bytes32(s1), 16);
        ADD_ROUND_KEY(s1, s2, s3, 1);

        SUB_CELLS(s0, s1, s2, s3);
        mask = LOW_BITS(1, 2);
        KEEP_AFTER(mask, s2);
        s1 = rotate_right(s1, 1, 2, mask);
        s3 = swap_bits(rotr32(s3, 16), mask << 16, 1);
        s2 = swap_bits(rotr32(s2, 16), mask >> 16, 1);
        ADD_ROUND_KEY(s1, s2, s0, 2);

        SUB_CELLS(s3, s1, s2, s0);
        mask = LOW_BITS(6, 8);
        KEEP_AFTER(mask, s2);
        s2 = rotate_right(s2, 2, 8, mask);
        s0 = rotate_left(s0, 2, 8, mask);
        mask = LOW_BITS(4, 8);
        KEEP_AFTER(mask, s0);
        s1 = rotate_right(s1, 4, 8, mask);
        ADD_ROUND_KEY(s1, s2, s3, 3);

        SUB_CELLS(s0, s1, s2, s3);
        mask = rotr32(s3, 24);
        s1 = rotr32(s1, 16);
        s2 = rotr32(s2, 8);
        ADD_ROUND_KEY(s1, s2, s0, 4);
        s3 = s0;
        s0 = mask;
#if defined(GIFT128_TWEAKED)
        s0 ^= tweak * UINT32_C(0x01010101);
#endif
        round_key += 10;
        constant += 5;
    } while (constant != gift128_constants + 40);
#if defined(GIFT128_TWEAKED)
    s0 ^= tweak * UINT32_C(0x01010101); /* not after the last round */
#endif
    state->s[0] = ~s0;
    state->s[1] = ~s1;
    state->s[2] = ~s2;
    state->s[3] = s3;
}

#endif
