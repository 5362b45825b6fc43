/*
 * SKINNY-128's tweakey schedule in 32-bit words.
 *
 * References: "The SKINNY Family" (2016), section 2 (see skinny128.h); same names.
 */
#include "skinny128.h"

#include <stddef.h>

#include "cycle.h"

#if SKINNY128_KEEPS_TK3

/* Writes TK3 for a round, in the order of the cycle, `n` rotations behind the round, with the
 * constants of cells 0 and 4 rotated too. The LFSR advances. */
ALWAYS_INLINE void keep_round(skinny128_rows *to, uint8_t rc, skinny128_cycle *tk3, unsigned n)
{
    const uint32_t first = rc & 15, second = (uint32_t)rc >> 4;

    to->row[0] = tk3->word[0] ^ first << 8 * n ^ (n < 2 ? 0 : second << 8 * (n - 2));
    to->row[1] = tk3->word[1] ^ (n < 2 ? second << 8 * (n + 2) : 0);
    *tk3 = step3(*tk3);
}

void skinny128_set_key(skinny128_schedule *s, const uint8_t *key)
{
    for (unsigned odd = 0; odd < 2; odd++) {
        skinny128_cycle tk3 = load_cycle(key, odd);

        if (odd) {
            tk3 = step3(turned(tk3, 1));
        }
        for (unsigned i = odd; i < SKINNY128_ROUNDS; i += 8) {
            keep_round(&s->key[i], constants[i], &tk3, 0);
            keep_round(&s->key[i + 2], constants[i + 2], &tk3, 1);
            keep_round(&s->key[i + 4], constants[i + 4], &tk3, 2);
            keep_round(&s->key[i + 6], constants[i + 6], &tk3, 3);
            tk3 = turned_by_4(tk3);
        }
    }
}

#if !SKINNY128_NATIVE

/* Writes a round's tweakey; TK2 and the stored sum lag by `n` rotations. The LFSR advances. */
ALWAYS_INLINE void add_round(skinny128_rows *to, const skinny128_rows *kept, skinny128_cycle *tk2,
                             unsigned n)
{
    const skinny128_cycle tk3 = {{kept->row[0], kept->row[1]}};

    *to = rows_of(turned(plus(*tk2, tk3), n));
    *tk2 = step2(*tk2);
}

void skinny128_set_tk2(skinny128_schedule *s, const uint8_t *tk2)
{
    for (unsigned odd = 0; odd < 2; odd++) {
        skinny128_cycle half = load_cycle(tk2, odd);

        if (odd) {
            half = step2(turned(half, 1));
        }
        for (unsigned i = odd; i < SKINNY128_ROUNDS; i += 8) {
            add_round(&s->sum[i], &s->key[i], &half, 0);
            add_round(&s->sum[i + 2], &s->key[i + 2], &half, 1);
            add_round(&s->sum[i + 4], &s->key[i + 4], &half, 2);
            add_round(&s->sum[i + 6], &s->key[i + 6], &half, 3);
            half = turned_by_4(half);
        }
    }
}

#endif

#else

/* With a single tweakey, the permutation need not be deferred. */
void skinny128_set_key(skinny128_schedule *s, const uint8_t *key)
{
    for (unsigned odd = 0; odd < 2; odd++) {
        skinny128_rows half = load(key + 8 * odd);

        for (unsigned i = odd; i < SKINNY128_ROUNDS; i += 2) {
            if (i != 0) {
                half = permuted(half);
                half.row[0] = SKINNY128_TWEAKEYS == 3 ? lfsr3(half.row[0]) : lfsr2(half.row[0]);
                half.row[1] = SKINNY128_TWEAKEYS == 3 ? lfsr3(half.row[1]) : lfsr2(half.row[1]);
            }
            s->sum[i].row[0] = half.row[0] ^ (constants[i] & 15);
            s->sum[i].row[1] = half.row[1] ^ constants[i] >> 4;
        }
    }
}

#if SKINNY128_TWEAKEYS == 3
void skinny128_set_key_tk2(skinny128_schedule *s, const uint8_t *key, const uint8_t *tk2)
{
    expand(s->sum, NULL, tk2, key, 0);
}
#endif

#endif

#if !SKINNY128_NATIVE

void skinny128_add_tk1_upper(skinny128_schedule *s, const uint8_t *upper)
{
    skinny128_rows half = load(upper);

    for (unsigned first = 1; first < 2 * SKINNY128_PERIOD; first += 2) {
        half = permuted(half);
        for (unsigned i = first; i < SKINNY128_ROUNDS; i += 2 * SKINNY128_PERIOD) {
            s->sum[i].row[0] ^= half.row[0];
            s->sum[i].row[1] ^= half.row[1];
        }
    }
}

void skinny128_expand_tk1(skinny128_rows *rows, const uint8_t *lower)
{
    rows[0] = load(lower);
    for (unsigned i = 1; i < SKINNY128_PERIOD; i++) {
        rows[i] = permuted(rows[i - 1]);
    }
}

#endif
