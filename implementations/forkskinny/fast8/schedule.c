/*
 * ForkSkinny's tweakey schedule for cells of 8 bits, in bytes, converted to slices.
 *
 * References: E. Andreeva, V. Lallemand, A. Purnal, R. Reyhanitabar, A. Roy, D. Vizár, "ForkAE v1"
 * (submission to NIST's lightweight cryptography project, round 2, 2019), section 2; same
 * names.
 *
 * The schedule is linear: only the difference between a new tweak and the last one is expanded and
 * added, omitting unchanged halves. So a block costs little more than its number.
 */
#include "forkskinny.h"

#include "bytes.h"
#include "inline.h"

void forkskinny_transpose(uint8_t *to, const uint8_t *from)
{
    transpose_half(to, from);
}

/* The next half of TK1. */
NEVER_INLINE void advance_tk1(uint8_t *cells)
{
    advance(cells, same);
}

/* The next half of TK2. */
NEVER_INLINE void advance_tk2(uint8_t *cells)
{
    advance(cells, lfsr2);
}

#if FORKSKINNY_TWEAKEYS == 3
/* The next half of TK3. */
NEVER_INLINE void advance_tk3(uint8_t *cells)
{
    advance(cells, lfsr3);
}
#else
#define advance_tk3 advance_tk2
#endif

/* Adds to the schedule a half of a tweakey, where `next` makes the next half of it: even rounds use
 * the first half, odd ones the second. `cells` are overwritten. */
NEVER_INLINE void add_rounds(forkskinny_schedule *s, uint8_t odd, uint8_t *cells,
                             void (*next)(uint8_t *))
{
    for (uint8_t i = odd; i < FORKSKINNY_ROUNDS; i = (uint8_t)(i + 2)) {
        uint8_t slices[HALF];

        if (i != 0) {
            next(cells);
        }
        forkskinny_transpose(slices, cells);
        add_half(s->sum[i].slice, slices);
    }
}

void forkskinny_set_key(forkskinny_schedule *s, const uint8_t *key)
{
    uint8_t rc = 0, cells[HALF];

    for (uint8_t i = 0; i < FORKSKINNY_ROUNDS; i++) {
        uint8_t *slices = s->sum[i].slice;

        rc = (uint8_t)((rc << 1 & 0x7f) | (~(rc >> 6 ^ rc >> 5) & 1));
        zero_bytes(slices, HALF);
        slices[0] = rc & 15;
        slices[2] = 2;
        slices[4] = rc >> 4;
        forkskinny_transpose(slices, slices);
    }
    for (uint8_t odd = 0; odd < 2; odd++) {
        copy_bytes(cells, key + HALF * odd, HALF);
        add_rounds(s, odd, cells, advance_tk1);
    }
    zero_bytes(s->tweak, FORKSKINNY_TWEAK_BYTES);
}

void forkskinny_set_tweak(forkskinny_schedule *s, const uint8_t *tweak)
{
    for (uint8_t i = 0; i < FORKSKINNY_TWEAK_BYTES; i = (uint8_t)(i + HALF)) {
        uint8_t half[HALF], differs = 0;

        for (uint8_t j = 0; j < HALF; j++) {
            half[j] = s->tweak[i + j] ^ tweak[i + j];
            differs |= half[j];
        }
        if (differs) {
            add_rounds(s, i / HALF % 2, half, i < 2 * HALF ? advance_tk2 : advance_tk3);
        }
    }
    copy_bytes(s->tweak, tweak, FORKSKINNY_TWEAK_BYTES);
}
