/*
 * ForkSkinny with cells of 8 bits, in eight slices of 16 bits.
 *
 * References: E. Andreeva, V. Lallemand, A. Purnal, R. Reyhanitabar, A. Roy, D. Vizár, "ForkAE v1"
 * (submission to NIST's lightweight cryptography project, round 2, 2019), section 2; same
 * names.
 */
#include "forkskinny.h"

#include <stddef.h>

#include "bytes.h"
#include "flash.h"
#include "inline.h"
#include "keep.h"
#include "round.h"
#include "round_back.h"
#include "slices.h"

enum {
    FORK = FORKSKINNY_BEFORE,
    END_1 = FORK + FORKSKINNY_AFTER,  /* of the branch to C_1 */
    END_0 = END_1 + FORKSKINNY_AFTER, /* of the branch to C_0, which begins at the fork */
};

/* A block in slices: 8 bytes for rows 0 and 1, and 8 for rows 2 and 3. */
typedef struct {
    uint8_t slices[FORKSKINNY_BYTES];
} sliced;

/* BC. */
static const uint8_t branch_constant[FORKSKINNY_BYTES] IN_FLASH = {
    0x41, 0x82, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0x11, 0x22, 0x45, 0x8a, 0x14, 0x28, 0x50, 0xa0};

/* x += BC. */
static void add_branch_constant(sliced *x)
{
    for (uint8_t i = 0; i < FORKSKINNY_BYTES; i++) {
        x->slices[i] ^= flash_u8(&branch_constant[i]);
    }
}

/* Slices of a block. */
static sliced get(const uint8_t *block)
{
    sliced x;

    forkskinny_transpose(x.slices, block);
    forkskinny_transpose(x.slices + HALF, block + HALF);
    return x;
}

/* Writes the block that is in slices. */
static void put(uint8_t *block, const sliced *x)
{
    forkskinny_transpose(block, x->slices);
    forkskinny_transpose(block + HALF, x->slices + HALF);
}

#define TAKEN(b) sum[b]

/* `count` rounds, from the one of `half`. */
NEVER_INLINE void rounds(sliced *x, const skinny128_half *half, uint8_t count)
{
    const uint8_t *sum = (const uint8_t *)half;
    uint8_t *block = x->slices;

    LOAD_ALL();
    for (; count != 0; count--) {
        KEEP_POINTER(sum);
        ROUND(TAKEN);
        sum += HALF;
    }
    STORE_ALL();
}

/* `count` inverse rounds, from the one before `half`. */
NEVER_INLINE void rounds_back(sliced *x, const skinny128_half *half, uint8_t count)
{
    const uint8_t *sum = (const uint8_t *)half;
    uint8_t *block = x->slices;

    LOAD_ALL();
    for (; count != 0; count--) {
        sum -= HALF;
        KEEP_POINTER(sum);
        UNROUND(TAKEN);
    }
    STORE_ALL();
}

void forkskinny_encrypt(uint8_t *c0, uint8_t *c1, const uint8_t *m, const forkskinny_schedule *s)
{
    sliced x = get(m), fork;

    rounds(&x, s->sum, FORK);
    fork = x;
    rounds(&x, s->sum + FORK, END_1 - FORK);
    put(c1, &x);
    if (c0 != NULL) {
        add_branch_constant(&fork);
        rounds(&fork, s->sum + END_1, END_0 - END_1);
        put(c0, &fork);
    }
}

void forkskinny_invert(uint8_t *m, uint8_t *c1, const uint8_t *c0, const forkskinny_schedule *s)
{
    sliced x = get(c0), fork;

    rounds_back(&x, s->sum + END_0, END_0 - END_1);
    add_branch_constant(&x);
    fork = x;
    rounds_back(&x, s->sum + FORK, FORK);
    put(m, &x);
    rounds(&fork, s->sum + FORK, END_1 - FORK);
    put(c1, &fork);
}
