/*
 * GIFT-128 encryption on bytes, fixsliced, for 8-bit machines.
 *
 * References: S. Banik et al., "GIFT-COFB v1.1" (2021), chapter 2; A. Adomnicai, Z. Najm,
 * T. Peyrin, "Fixslicing: A New GIFT Representation" (TCHES 2020), section 3.
 *
 * See fixsliced32/encrypt.c for how it works. Here, byte rotations only rename registers.
 */
#include "gift128.h"

#if !GIFT128_NATIVE_ENCRYPT

#include "flash.h"
#include "row.h"

/* The round constants in the bit order of the five rounds: the bytes that differ between groups of
 * five. */
static const uint8_t constants[8][12] IN_FLASH = {
    {0x00, 0x00, 0x08, 0x80, 0x80, 0x54, 0x00, 0x01, 0x01, 0x01, 0x81, 0x1f},
    {0x88, 0x88, 0x80, 0x60, 0xe0, 0x51, 0x50, 0x03, 0x03, 0x01, 0x80, 0x2f},
    {0x08, 0x88, 0x80, 0x60, 0x60, 0x41, 0x50, 0x03, 0x03, 0x00, 0x80, 0x27},
    {0x00, 0x88, 0x80, 0x40, 0xe0, 0x11, 0x50, 0x03, 0x02, 0x01, 0x80, 0x2b},
    {0x08, 0x08, 0x80, 0x60, 0x40, 0x01, 0x40, 0x02, 0x02, 0x00, 0x80, 0x21},
    {0x00, 0x00, 0x80, 0x00, 0xc0, 0x51, 0x00, 0x03, 0x01, 0x01, 0x80, 0x2e},
    {0x08, 0x88, 0x00, 0x60, 0x20, 0x40, 0x50, 0x01, 0x03, 0x00, 0x80, 0x06},
    {0x00, 0x88, 0x08, 0xc0, 0xa0, 0x14, 0x50, 0x01, 0x02, 0x01, 0x81, 0x1a},
};

/* SubCells on a byte of each row. s0 becomes S_3, s3 becomes S_0. */
ALWAYS_INLINE void sub_byte(uint8_t *s0, uint8_t *s1, uint8_t *s2, uint8_t *s3)
{
    *s1 ^= *s0 & *s2;
    *s0 ^= *s1 & *s3;
    *s2 ^= *s0 | *s1;
    *s3 ^= *s2;
    *s1 ^= *s3;
    *s2 ^= *s0 & *s1;
    *s3 = (uint8_t)~*s3;
}

/* SubCells. s0 becomes S_3, s3 becomes S_0. */
ALWAYS_INLINE void sub_cells(row *s0, row *s1, row *s2, row *s3)
{
    sub_byte(&s0->b[0], &s1->b[0], &s2->b[0], &s3->b[0]);
    sub_byte(&s0->b[1], &s1->b[1], &s2->b[1], &s3->b[1]);
    sub_byte(&s0->b[2], &s1->b[2], &s2->b[2], &s3->b[2]);
    sub_byte(&s0->b[3], &s1->b[3], &s2->b[3], &s3->b[3]);
}

/* PermBits relative to S_3, in the five rounds; s0, s1, s2 are the new rows. */
ALWAYS_INLINE void permute_1(row *s0, row *s1, row *s2)
{
    s0->b[0] = nibbles_right_1(s0->b[0]);
    s0->b[1] = nibbles_right_1(s0->b[1]);
    s0->b[2] = nibbles_right_1(s0->b[2]);
    s0->b[3] = nibbles_right_1(s0->b[3]);
    s1->b[0] = nibbles_2(s1->b[0]);
    s1->b[1] = nibbles_2(s1->b[1]);
    s1->b[2] = nibbles_2(s1->b[2]);
    s1->b[3] = nibbles_2(s1->b[3]);
    s2->b[0] = nibbles_left_1(s2->b[0]);
    s2->b[1] = nibbles_left_1(s2->b[1]);
    s2->b[2] = nibbles_left_1(s2->b[2]);
    s2->b[3] = nibbles_left_1(s2->b[3]);
}

/* The same in the second of five rounds. */
ALWAYS_INLINE void permute_2(row *s0, row *s1, row *s2)
{
    const row old = *s1;

    half_right_4(&s0->b[0], &s0->b[1]);
    half_right_4(&s0->b[2], &s0->b[3]);
    *s1 = (row){{old.b[1], old.b[0], old.b[3], old.b[2]}};
    half_left_4(&s2->b[0], &s2->b[1]);
    half_left_4(&s2->b[2], &s2->b[3]);
}

/* The same in the third of five rounds. */
ALWAYS_INLINE void permute_3(row *s0, row *s1, row *s2)
{
    const row old0 = *s0, old2 = *s2;

    *s0 = (row){{pairs(old0.b[2]), pairs(old0.b[3]), old0.b[0], old0.b[1]}};
    s1->b[0] = pairs(s1->b[0]);
    s1->b[1] = pairs(s1->b[1]);
    s1->b[2] = pairs(s1->b[2]);
    s1->b[3] = pairs(s1->b[3]);
    *s2 = (row){{old2.b[2], old2.b[3], pairs(old2.b[0]), pairs(old2.b[1])}};
}

/* The same in the fourth of five rounds. */
ALWAYS_INLINE void permute_4(row *s0, row *s1, row *s2)
{
    s0->b[0] = left_2(s0->b[0]);
    s0->b[1] = left_2(s0->b[1]);
    s0->b[2] = left_2(s0->b[2]);
    s0->b[3] = left_2(s0->b[3]);
    s1->b[0] = swap(s1->b[0]);
    s1->b[1] = swap(s1->b[1]);
    s1->b[2] = swap(s1->b[2]);
    s1->b[3] = swap(s1->b[3]);
    s2->b[0] = left_2(swap(s2->b[0]));
    s2->b[1] = left_2(swap(s2->b[1]));
    s2->b[2] = left_2(swap(s2->b[2]));
    s2->b[3] = left_2(swap(s2->b[3]));
}

/* The same in the fifth of five rounds. */
ALWAYS_INLINE void permute_5(row *s0, row *s1, row *s2)
{
    const row old0 = *s0, old1 = *s1, old2 = *s2;

    *s0 = (row){{old0.b[1], old0.b[2], old0.b[3], old0.b[0]}};
    *s1 = (row){{old1.b[2], old1.b[3], old1.b[0], old1.b[1]}};
    *s2 = (row){{old2.b[3], old2.b[0], old2.b[1], old2.b[2]}};
}

#if defined(GIFT128_TWEAKED)
void twegift128_encrypt(gift128_state *state, const gift128_key *key, uint8_t tweak)
#else
void gift128_encrypt(gift128_state *state, const gift128_key *key)
#endif
{
    const uint8_t *k = key->round;
    const uint8_t *c = constants[0];
    row s0, s1, s2, s3;

    load_row(&s0, state->bytes);
    load_row(&s1, state->bytes + 4);
    load_row(&s2, state->bytes + 8);
    load_row(&s3, state->bytes + 12);
    do {
        sub_cells(&s0, &s1, &s2, &s3);
        permute_1(&s3, &s1, &s2);
        k = add_row(&s2, add_row(&s1, k));
        s0.b[0] ^= 0x10;
        c = add_flash(&s0.b[1], c);
        c = add_flash(&s0.b[2], c);
        c = add_flash(&s0.b[3], c);

        sub_cells(&s3, &s1, &s2, &s0);
        permute_2(&s0, &s1, &s2);
        k = add_row(&s2, add_row(&s1, k));
        c = add_flash(&s3.b[0], c);
        s3.b[1] ^= 0x01;
        c = add_flash(&s3.b[2], c);

        sub_cells(&s0, &s1, &s2, &s3);
        permute_3(&s3, &s1, &s2);
        k = add_row(&s2, add_row(&s1, k));
        c = add_flash(&s0.b[0], c);
        c = add_flash(&s0.b[1], c);
        s0.b[3] ^= 0x02;

        sub_cells(&s3, &s1, &s2, &s0);
        permute_4(&s0, &s1, &s2);
        k = add_row(&s2, add_row(&s1, k));
        c = add_flash(&s3.b[0], c);
        c = add_flash(&s3.b[1], c);
        c = add_flash(&s3.b[2], c);
        c = add_flash(&s3.b[3], c);

        sub_cells(&s0, &s1, &s2, &s3);
        permute_5(&s3, &s1, &s2);
        k = add_row(&s2, add_row(&s1, k));
        s0.b[0] ^= 0x80;
        c = add_flash(&s0.b[3], c);

        const row last = s0;
        s0 = s3;
        s3 = last;
#if defined(GIFT128_TWEAKED)
        if (k != key->round + sizeof key->round) {
            s0.b[0] ^= tweak;
            s0.b[1] ^= tweak;
            s0.b[2] ^= tweak;
            s0.b[3] ^= tweak;
        }
#endif
    } while (k != key->round + sizeof key->round);
    store_row(state->bytes, &s0);
    store_row(state->bytes + 4, &s1);
    store_row(state->bytes + 8, &s2);
    store_row(state->bytes + 12, &s3);
}

#endif
