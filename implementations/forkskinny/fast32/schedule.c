/*
 * ForkSkinny's tweakey schedule for cells of 8 bits, in 32-bit words.
 *
 * References: E. Andreeva, V. Lallemand, A. Purnal, R. Reyhanitabar, A. Roy, D. Vizár, "ForkAE v1"
 * (submission to NIST's lightweight cryptography project, round 2, 2019), section 2; same
 * names.
 *
 * The schedule is linear: only the difference between a new tweak and the last one is expanded and
 * added, omitting unchanged halves. So a block costs little more than its number.
 */
#include "forkskinny.h"

#include <stddef.h>

#include "bytes.h"
#include "inline.h"

/* Adds half of TK1, TK2 or TK3 to the schedule, with the tweakey's LFSR `lfsr` if it has one: even
 * rounds use the first half, odd ones the second. */
ALWAYS_INLINE void add_half(forkskinny_schedule *s, unsigned odd, skinny128_rows half,
                            uint32_t (*lfsr)(uint32_t))
{
    for (unsigned i = odd; i < FORKSKINNY_ROUNDS; i += 2) {
        if (i != 0) {
            half = permuted(half);
            if (lfsr != NULL) {
                half.row[0] = lfsr(half.row[0]);
                half.row[1] = lfsr(half.row[1]);
            }
        }
        s->sum[i].row[0] ^= half.row[0];
        s->sum[i].row[1] ^= half.row[1];
    }
}

void forkskinny_set_key(forkskinny_schedule *s, const uint8_t *key)
{
    uint8_t rc = 0;

    for (unsigned i = 0; i < FORKSKINNY_ROUNDS; i++) {
        rc = (uint8_t)((rc << 1 & 0x7f) | (~(rc >> 6 ^ rc >> 5) & 1));
        s->sum[i].row[0] = UINT32_C(0x00020000) | (rc & 15);
        s->sum[i].row[1] = rc >> 4;
    }
    for (unsigned odd = 0; odd < 2; odd++) {
        add_half(s, odd, load(key + 8 * odd), NULL);
    }
    zero_bytes(s->tweak, FORKSKINNY_TWEAK_BYTES);
}

void forkskinny_set_tweak(forkskinny_schedule *s, const uint8_t *tweak)
{
    for (unsigned i = 0; i < FORKSKINNY_TWEAK_BYTES; i += 8) {
        const skinny128_rows from = load(s->tweak + i), to = load(tweak + i);
        const skinny128_rows half = {{from.row[0] ^ to.row[0], from.row[1] ^ to.row[1]}};

        if ((half.row[0] | half.row[1]) == 0) {
            continue;
        }
        if (i < 16) {
            add_half(s, i / 8, half, lfsr2);
        } else {
            add_half(s, i / 8 % 2, half, lfsr3);
        }
    }
    copy_bytes(s->tweak, tweak, FORKSKINNY_TWEAK_BYTES);
}
