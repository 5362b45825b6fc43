/*
 * ForkSkinny with cells of 8 bits, bitsliced in 32-bit words; the inverse, a row at a time.
 *
 * References: E. Andreeva, V. Lallemand, A. Purnal, R. Reyhanitabar, A. Roy, D. Vizár, "ForkAE v1"
 * (submission to NIST's lightweight cryptography project, round 2, 2019), section 2; same
 * names.
 */
#include "forkskinny.h"

#include <stddef.h>

#include "back.h"
#include "bytes.h"
#include "inline.h"
#include "slices.h"

enum {
    FORK = FORKSKINNY_BEFORE,
    END_1 = FORK + FORKSKINNY_AFTER,  /* of the branch to C_1 */
    END_0 = END_1 + FORKSKINNY_AFTER, /* of the branch to C_0, which begins at the fork */
};

typedef struct {
    uint32_t word[4];
} words;

/* The constant BC, as rows and as slices. */
static const words branch_rows = {{0x08040201, 0x82412010, 0x28140a05, 0x8844a251}};
static const words branch_slices = {{0x004200ad, 0x4200ad00, 0x00ad0084, 0xad008400}};

/* x += y. */
static void add(words *x, const words *y)
{
    for (uint8_t i = 0; i < 4; i++) {
        x->word[i] ^= y->word[i];
    }
}

/* The rows of a block. */
static words get(const uint8_t *block)
{
    return (words){
        {load32_le(block), load32_le(block + 4), load32_le(block + 8), load32_le(block + 12)}};
}

/* Writes a block of such rows. */
static void put(uint8_t *block, const words *rows)
{
    for (uint8_t i = 0; i < 4; i++) {
        store32_le(block + 4 * i, rows->word[i]);
    }
}

/* Converts rows to slices. */
static void slice(words *x)
{
    uint32_t w0 = x->word[0], w1 = x->word[1], w2 = x->word[2], w3 = x->word[3];

    SLICE();
    *x = (words){{w0, w1, w2, w3}};
}

/* Writes the block that is in slices. */
static void put_slices(uint8_t *block, const words *x)
{
    uint32_t w0 = x->word[0], w1 = x->word[1], w2 = x->word[2], w3 = x->word[3];

    UNSLICE();
    put(block, &(words){{w0, w1, w2, w3}});
}

/* The rounds from `sum` to before `end`, on slices. */
static void rounds(words *x, const skinny128_rows *sum, const skinny128_rows *end)
{
    uint32_t w0 = x->word[0], w1 = x->word[1], w2 = x->word[2], w3 = x->word[3];

    for (; sum != end; sum++) {
        ROUND(sum->row[0], sum->row[1]);
    }
    *x = (words){{w0, w1, w2, w3}};
}

/* The rounds from before `end` back to `sum`, on rows. */
static void rounds_back(words *x, const skinny128_rows *end, const skinny128_rows *sum)
{
    while (end-- != sum) {
        skinny128_round_back(x->word, end->row[0], end->row[1]);
    }
}

void forkskinny_encrypt(uint8_t *c0, uint8_t *c1, const uint8_t *m, const forkskinny_schedule *s)
{
    words x = get(m), fork;

    slice(&x);
    rounds(&x, s->sum, s->sum + FORK);
    fork = x;
    rounds(&x, s->sum + FORK, s->sum + END_1);
    put_slices(c1, &x);
    if (c0 != NULL) {
        add(&fork, &branch_slices);
        rounds(&fork, s->sum + END_1, s->sum + END_0);
        put_slices(c0, &fork);
    }
}

void forkskinny_invert(uint8_t *m, uint8_t *c1, const uint8_t *c0, const forkskinny_schedule *s)
{
    words x = get(c0), fork;

    rounds_back(&x, s->sum + END_0, s->sum + END_1);
    add(&x, &branch_rows);
    fork = x;
    rounds_back(&x, s->sum + FORK, s->sum);
    put(m, &x);
    slice(&fork);
    rounds(&fork, s->sum + FORK, s->sum + END_1);
    put_slices(c1, &fork);
}
