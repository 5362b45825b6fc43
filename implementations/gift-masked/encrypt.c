/*
 * GIFT-128 encryption on shares, fixsliced.
 *
 * References: S. Banik et al., "GIFT-COFB v1.1" (2021), chapter 2; A. Adomnicai, Z. Najm,
 * T. Peyrin, "Fixslicing: A New GIFT Representation" (TCHES 2020), section 3; ../masked/word32.h
 * for the product. fixsliced32/encrypt.c of the family gift explains where the bits of five rounds
 * are.
 *
 * SubCells has four products. All else is linear and applies to each share alone, and a constant or
 * a complement to the first one only. S_1 and S_2 leave SubCells complemented, as the round keys
 * are. Every product adds fresh random bits to a row, and no product multiplies rows with the same
 * ones, so its factors' shares are independent. The random words of a round's first product
 * are drawn in the linear layer before it, for a generator that needs time for the next ones.
 */
#include "masked.h"

#include "fixsliced32/bits.h"
#include "fixsliced32/constants.h"
#include "flash.h"
#include "inline.h"
#include "native/native.h"
#include "order.h"
#include "rotate.h"
#include "unroll.h"

#if !MASKED_NATIVE_ENCRYPT

static const uint32_t constants[40] IN_FLASH = {GIFT128_CONSTANTS};

/* The complement of x. */
ALWAYS_INLINE masked_word complement(const masked_word *x)
{
    masked_word result = *x;

    masked_word_complement(&result);
    return result;
}

/* SubCells, with the complements of S_1 and S_2. s0 becomes S_3, s3 becomes S_0. `first` is for the
 * first product. */
NEVER_INLINE void sub_cells(masked_word *s0, masked_word *s1, masked_word *s2, masked_word *s3,
                            const masked_random *first)
{
    masked_word a = *s0, b = *s1, c = *s2, d = *s3, not_a, not_b;

    masked_word_add_product(&b, &a, &c, *first);

    masked_random random = masked_draw();

    masked_word_add_product(&a, &b, &d, random);
    *s0 = a;
    not_a = complement(&a);
    not_b = complement(&b);
    random = masked_draw();
    masked_word_add_product(&c, &not_a, &not_b, random);
    masked_word_add(&d, &c);
    *s3 = d;
    masked_word_add(&b, &d);
    *s1 = b;
    not_b = complement(&b);
    random = masked_draw();
    masked_word_add_product(&c, &a, &not_b, random);
    *s2 = c;
}

/* Applies to each share: `x` is its word of `row`. */
#define EACH_SHARE(row, expression)                                                                \
    do {                                                                                           \
        UNROLL                                                                                     \
        for (unsigned i = 0; i < MASKED_SHARES; i++) {                                             \
            const uint32_t x = (row)->share[i];                                                    \
                                                                                                   \
            (row)->share[i] = (expression);                                                        \
        }                                                                                          \
    } while (0)

/* AddRoundKey. */
ALWAYS_INLINE void add_round_key(masked_state *state, masked_word *s3, const masked_key *key,
                                 unsigned round)
{
    UNROLL
    for (unsigned i = 0; i < MASKED_SHARES; i++) {
        state->s[1].share[i] ^= key->share[i].round[2 * round];
        state->s[2].share[i] ^= key->share[i].round[2 * round + 1];
    }
    s3->share[0] ^= ~flash_u32(&constants[round]);
}

void masked_encrypt(masked_state *state, const masked_key *key)
{
    masked_word *const s0 = &state->s[0], *const s1 = &state->s[1];
    masked_word *const s2 = &state->s[2], *const s3 = &state->s[3];
    masked_random first = masked_draw();

    for (unsigned round = 0; round < 40; round += 5) {
        sub_cells(s0, s1, s2, s3, &first);
        EACH_SHARE(s3, rotate_right(x, 1, 4, LOW_BITS(3, 4)));
        EACH_SHARE(s2, rotate_left(x, 1, 4, LOW_BITS(3, 4)));
        first = masked_draw();
        EACH_SHARE(s1, rotate_right(x, 2, 4, LOW_BITS(2, 4)));
        add_round_key(state, s0, key, round);

        sub_cells(s3, s1, s2, s0, &first);
        EACH_SHARE(s0, rotate_right(x, 4, 16, LOW_BITS(12, 16)));
        EACH_SHARE(s2, rotate_left(x, 4, 16, LOW_BITS(12, 16)));
        first = masked_draw();
        EACH_SHARE(s1, rotr32(reverse_bytes32(x), 16));
        add_round_key(state, s3, key, round + 1);

        sub_cells(s0, s1, s2, s3, &first);
        EACH_SHARE(s1, rotate_right(x, 1, 2, LOW_BITS(1, 2)));
        EACH_SHARE(s3, swap_bits(rotr32(x, 16), LOW_BITS(1, 2) << 16, 1));
        first = masked_draw();
        EACH_SHARE(s2, swap_bits(rotr32(x, 16), LOW_BITS(1, 2) >> 16, 1));
        add_round_key(state, s0, key, round + 2);

        sub_cells(s3, s1, s2, s0, &first);
        EACH_SHARE(s2, rotate_right(x, 2, 8, LOW_BITS(6, 8)));
        EACH_SHARE(s0, rotate_left(x, 2, 8, LOW_BITS(6, 8)));
        first = masked_draw();
        EACH_SHARE(s1, rotate_right(x, 4, 8, LOW_BITS(4, 8)));
        add_round_key(state, s3, key, round + 3);

        sub_cells(s0, s1, s2, s3, &first);
        first = masked_draw();
        UNROLL
        for (unsigned i = 0; i < MASKED_SHARES; i++) {
            const uint32_t row3 = s0->share[i];

            s0->share[i] = rotr32(s3->share[i], 24);
            s1->share[i] = rotr32(s1->share[i], 16);
            s2->share[i] = rotr32(s2->share[i], 8);
            s3->share[i] = row3;
        }
        add_round_key(state, s3, key, round + 4);
    }
}

#endif
