/*
 * GIFT-128's key schedule on bytes, in the arrangements of bits of the fixsliced rounds.
 *
 * References: S. Banik et al., "GIFT-COFB v1.1" (2021), chapter 2; A. Adomnicai, Z. Najm,
 * T. Peyrin, "Fixslicing: A New GIFT Representation" (TCHES 2020), section 3.
 *
 * Four exchange steps lead to an arrangement; the first one is always to exchange the outer bytes,
 * which only renames them.
 */
#include "gift128.h"

#include "row.h"

/* Exchanges the bits of `high` in `mask` << n with those of `low` in `mask`. */
ALWAYS_INLINE void exchange_up(uint8_t *high, uint8_t *low, uint8_t mask, uint8_t n)
{
    uint8_t difference = (uint8_t)(*high >> n);

    difference ^= *low;
    difference &= mask;
    *low ^= difference;
    difference = (uint8_t)(difference << n);
    *high ^= difference;
}

/* Exchanges the bits of `high` in `mask` >> n with those of `low` in `mask`. */
ALWAYS_INLINE void exchange_down(uint8_t *high, uint8_t *low, uint8_t mask, uint8_t n)
{
    uint8_t difference = (uint8_t)(*high << n);

    difference ^= *low;
    difference &= mask;
    *low ^= difference;
    difference = (uint8_t)(difference >> n);
    *high ^= difference;
}

/* Converts the specification's order to the arrangement after the first of five rounds. */
static void arrange_1(uint8_t *x)
{
    row y = {{x[3], x[1], x[2], x[0]}};

    exchange_up(&y.b[3], &y.b[2], 0x33, 2);
    exchange_up(&y.b[1], &y.b[0], 0x33, 2);
    exchange_up(&y.b[3], &y.b[1], 0x55, 1);
    exchange_up(&y.b[2], &y.b[0], 0x55, 1);
    exchange_up(&y.b[3], &y.b[1], 0x0f, 4);
    exchange_up(&y.b[2], &y.b[0], 0x0f, 4);
    store_row(x, &y);
}

/* After the second. */
static void arrange_2(uint8_t *x)
{
    row y = {{x[3], x[1], x[2], x[0]}};

    exchange_down(&y.b[1], &y.b[3], 0xf0, 4);
    exchange_down(&y.b[0], &y.b[2], 0xf0, 4);
    exchange_up(&y.b[1], &y.b[3], 0x33, 2);
    exchange_up(&y.b[0], &y.b[2], 0x33, 2);
    exchange_down(&y.b[1], &y.b[3], 0xaa, 1);
    exchange_down(&y.b[0], &y.b[2], 0xaa, 1);
    store_row(x, &y);
}

/* After the third. */
static void arrange_3(uint8_t *x)
{
    row y = {{x[3], x[1], x[2], x[0]}};

    exchange_up(&y.b[2], &y.b[3], 0x55, 1);
    exchange_up(&y.b[0], &y.b[1], 0x55, 1);
    exchange_up(&y.b[3], &y.b[2], 0x33, 2);
    exchange_up(&y.b[1], &y.b[0], 0x33, 2);
    exchange_up(&y.b[2], &y.b[3], 0x0f, 4);
    exchange_up(&y.b[0], &y.b[1], 0x0f, 4);
    store_row(x, &y);
}

/* After the fourth. */
static void arrange_4(uint8_t *x)
{
    row y = {{x[3], x[1], x[2], x[0]}};

    exchange_up(&y.b[2], &y.b[3], 0x0f, 4);
    exchange_up(&y.b[0], &y.b[1], 0x0f, 4);
    exchange_up(&y.b[1], &y.b[3], 0x33, 2);
    exchange_up(&y.b[0], &y.b[2], 0x33, 2);
    exchange_up(&y.b[2], &y.b[3], 0x55, 1);
    exchange_up(&y.b[0], &y.b[1], 0x55, 1);
    store_row(x, &y);
}

/* Writes the round key of a round that begins with `w2` = W_2 || W_3 and `w6` = W_6 || W_7, and
 * updates the latter to W_6 >>> 2 || W_7 >>> 12. */
ALWAYS_INLINE uint8_t *next_round(uint8_t *k, const row *w2, row *w6)
{
    const uint8_t high = w6->b[0], low = w6->b[1];

    store_row(k, w6);
    store_row(k + 4, w2);
    w6->b[0] = (uint8_t)(high >> 2 | low << 6);
    w6->b[1] = (uint8_t)(low >> 2 | high << 6);
    half_left_4(&w6->b[2], &w6->b[3]);
    return k + 8;
}

void gift128_set_key(gift128_key *key, const uint8_t *bytes)
{
    const uint8_t *const end = key->round + sizeof key->round;
    uint8_t *k = key->round;
    row k0, k1, k2, k3;

    load_row(&k0, bytes);
    load_row(&k1, bytes + 4);
    load_row(&k2, bytes + 8);
    load_row(&k3, bytes + 12);
    do {
        k = next_round(k, &k1, &k3);
        k = next_round(k, &k0, &k2);
        k = next_round(k, &k3, &k1);
        k = next_round(k, &k2, &k0);
    } while (k != end);
    for (k = key->round; k != end; k += 40) {
        for (uint8_t i = 0; i < 8; i = (uint8_t)(i + 4)) {
            arrange_1(k + i);
            arrange_2(k + 8 + i);
            arrange_3(k + 16 + i);
            arrange_4(k + 24 + i);
        }
    }
}
