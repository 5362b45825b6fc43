/*
 * SKINNY-128's tweakey schedule in 32-bit words.
 *
 * References: "The SKINNY Family" (2016), section 2 (see skinny128.h); names as there.
 *
 * P_T exchanges the halves of a tweakey and permutes what was the second. So each half goes its own
 * way and is used in every second round, after one more permutation and one more step of the LFSR.
 */
#include "skinny128.h"

#include <stddef.h>

#include "constants.h"
#include "tweakey.h"

static const uint8_t constants[] = {SKINNY_CONSTANTS};

/* `to` = `from`, or the round constants if that is NULL, + the tweakey `tk`, in every round. */
ALWAYS_INLINE void add(skinny128_rows *to, const skinny128_rows *from, const uint8_t *tk,
                       uint32_t (*lfsr)(uint32_t))
{
    for (unsigned odd = 0; odd < 2; odd++) {
        skinny128_rows half = load(tk + 8 * odd);

        for (unsigned i = odd; i < SKINNY128_ROUNDS; i += 2) {
            if (i != 0) {
                half = permuted(half);
                half.row[0] = lfsr(half.row[0]);
                half.row[1] = lfsr(half.row[1]);
            }
            if (from == NULL) {
                to[i].row[0] = half.row[0] ^ (constants[i] & 15);
                to[i].row[1] = half.row[1] ^ constants[i] >> 4;
            } else {
                to[i].row[0] = half.row[0] ^ from[i].row[0];
                to[i].row[1] = half.row[1] ^ from[i].row[1];
            }
        }
    }
}

void skinny128_set_key(skinny128_schedule *s, const uint8_t *key)
{
#if SKINNY128_KEEPS_TK3
    skinny128_rows *to = s->key;
#else
    skinny128_rows *to = s->sum;
#endif

    add(to, NULL, key, SKINNY128_TWEAKEYS == 3 ? lfsr3 : lfsr2);
}

#if SKINNY128_TWEAKEYS == 3
void skinny128_set_tk2(skinny128_schedule *s, const uint8_t *tk2)
{
#if SKINNY128_KEEPS_TK3
    add(s->sum, s->key, tk2, lfsr2);
#else
    add(s->sum, s->sum, tk2, lfsr2);
#endif
}
#endif

#if SKINNY128_TWEAKEYS == 3 && !SKINNY128_KEEPS_TK3
/* Both in one go, so that the sums are stored once. */
void skinny128_set_key_tk2(skinny128_schedule *s, const uint8_t *key, const uint8_t *tk2)
{
    for (unsigned odd = 0; odd < 2; odd++) {
        skinny128_rows half3 = load(key + 8 * odd), half2 = load(tk2 + 8 * odd);

        for (unsigned i = odd; i < SKINNY128_ROUNDS; i += 2) {
            if (i != 0) {
                half3 = permuted(half3);
                half3.row[0] = lfsr3(half3.row[0]);
                half3.row[1] = lfsr3(half3.row[1]);
                half2 = permuted(half2);
                half2.row[0] = lfsr2(half2.row[0]);
                half2.row[1] = lfsr2(half2.row[1]);
            }
            s->sum[i].row[0] = half3.row[0] ^ half2.row[0] ^ (constants[i] & 15);
            s->sum[i].row[1] = half3.row[1] ^ half2.row[1] ^ constants[i] >> 4;
        }
    }
}
#endif

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
