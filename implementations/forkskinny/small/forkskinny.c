/*
 * ForkSkinny optimised for code size and memory: a cell is a byte.
 *
 * References: E. Andreeva, V. Lallemand, A. Purnal, R. Reyhanitabar, A. Roy, D. Vizár, "ForkAE v1"
 * (submission to NIST's lightweight cryptography project, round 2, 2019), section 2;
 * C. Beierle et al., "The SKINNY Family of Block Ciphers and its Low-Latency Variant MANTIS"
 * (CRYPTO 2016), section 2; same names.
 *
 * Every second round takes half of each tweakey; it is updated after its use.
 */
#include "forkskinny.h"

#include <stddef.h>

#include "bytes.h"
#include "packed.h"

enum {
    FORK = FORKSKINNY_BEFORE,
    END_1 = FORK + FORKSKINNY_AFTER,  /* of the branch to C_1 */
    END_0 = END_1 + FORKSKINNY_AFTER, /* of the branch to C_0, which begins at the fork */
};

typedef union {
    uint8_t bytes[16];
    cells cells[16 / sizeof(cells)];
} cell_state;

typedef struct {
    cell_state x;                        /* the internal state, by rows */
    uint8_t tk[FORKSKINNY_TWEAKEYS][16]; /* in the form for the next round of each half */
    uint8_t rc;                          /* the previous round's constant */
    uint8_t round;
} fork_state;

/* BC. */
static const uint8_t branch_constant[16] IN_FLASH = {
#if FORKSKINNY_BYTES == 8
    0x01, 0x02, 0x04, 0x09, 0x03, 0x06, 0x0d, 0x0a, 0x05, 0x0b, 0x07, 0x0f, 0x0e, 0x0c, 0x08, 0x01,
#else
    0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x41, 0x82, 0x05, 0x0a, 0x14, 0x28, 0x51, 0xa2, 0x44, 0x88,
#endif
};

#if FORKSKINNY_BYTES == 8

/* The S-box S_4: x_0 += x_3 NOR x_2 four times, with rotations between. */
static cells substitute(cells x)
{
    for (uint8_t i = 3;; i--) {
        x = (cells)(x ^ (~(x >> 3 | x >> 2) & BITS(0x01)));
        if (i == 0) {
            return x;
        }
        x = (cells)((x << 1 & BITS(0x0e)) | (x >> 3 & BITS(0x01)));
    }
}

/* The inverse of S_4: the same sums, and the inverse rotations. */
static cells unsubstitute(cells x)
{
    for (uint8_t i = 3;; i--) {
        x = (cells)(x ^ (~(x >> 3 | x >> 2) & BITS(0x01)));
        if (i == 0) {
            return x;
        }
        x = (cells)((x >> 1 & BITS(0x07)) | (x << 3 & BITS(0x08)));
    }
}

/* One step of the LFSR of TK2. */
static uint8_t step_up(uint8_t cell)
{
    return (uint8_t)((cell << 1 & 0x0e) | ((cell >> 3 ^ cell >> 2) & 1));
}

/* One step back, which is that of TK3. */
static uint8_t step_down(uint8_t cell)
{
    return (uint8_t)(cell >> 1 | ((cell << 3 ^ cell) & 8));
}

#else

#include "substitute.h"
#include "unsubstitute.h"

/* One step of the LFSR of TK2. */
static uint8_t step_up(uint8_t cell)
{
    return (uint8_t)(cell << 1 | ((cell >> 7 ^ cell >> 5) & 1));
}

/* One step back, which is that of TK3. */
static uint8_t step_down(uint8_t cell)
{
    return (uint8_t)(cell >> 1 | ((cell << 7 ^ cell << 1) & 0x80));
}

#endif

/* Converts bytes to cells. */
static void load(uint8_t cell[16], const uint8_t *bytes)
{
#if FORKSKINNY_BYTES == 8
    for (uint8_t i = 0; i < 8; i++) {
        *cell++ = *bytes >> 4;
        *cell++ = *bytes++ & 15;
    }
#else
    copy_bytes(cell, bytes, 16);
#endif
}

/* Converts cells to bytes. */
static void store(uint8_t *bytes, const uint8_t cell[16])
{
#if FORKSKINNY_BYTES == 8
    for (uint8_t i = 0; i < 8; i++) {
        *bytes++ = (uint8_t)(cell[0] << 4 | cell[1]);
        cell += 2;
    }
#else
    copy_bytes(bytes, cell, 16);
#endif
}

/* Updates the half of tweakey `number` that a round has used. */
static void update(uint8_t *half, uint8_t number)
{
    uint8_t old[8];

    copy_bytes(old, half, 8);
    for (uint8_t i = 0; i < 8; i++) {
        uint8_t cell = old[flash_u8(&permutation[i])];

        if (number == 1) {
            cell = step_up(cell);
        } else if (number == 2) {
            cell = step_down(cell);
        }
        *half++ = cell;
    }
}

/* The inverse. */
static void revert(uint8_t *half, uint8_t number)
{
    uint8_t old[8];

    copy_bytes(old, half, 8);
    for (uint8_t i = 0; i < 8; i++) {
        uint8_t cell = old[i];

        if (number == 1) {
            cell = step_down(cell);
        } else if (number == 2) {
            cell = step_up(cell);
        }
        half[flash_u8(&permutation[i])] = cell;
    }
}

/* Adds the round's tweakeys and constants. */
static void add_round(fork_state *s)
{
    uint8_t *const x = s->x.bytes;

    for (uint8_t k = 0; k < FORKSKINNY_TWEAKEYS; k++) {
        for (uint8_t i = 0; i < 8; i++) {
            x[i] ^= s->tk[k][8 * (s->round & 1) + i];
        }
    }
    x[0] = (uint8_t)(x[0] ^ (s->rc & 15));
    x[4] ^= s->rc >> 4;
    x[2] ^= 2;
    x[8] ^= 2;
}

/* Advances only the tweakeys, to round `end`. */
static void skip_to(fork_state *s, uint8_t end)
{
    for (; s->round != end; s->round++) {
        s->rc = (uint8_t)((s->rc << 1 & 0x7f) | (~(s->rc >> 6 ^ s->rc >> 5) & 1));
        for (uint8_t k = 0; k < FORKSKINNY_TWEAKEYS; k++) {
            update(s->tk[k] + 8 * (s->round & 1), k);
        }
    }
}

/* Goes back to round `end` with the tweakeys only. */
static void skip_back_to(fork_state *s, uint8_t end)
{
    while (s->round != end) {
        s->round--;
        s->rc = (uint8_t)(s->rc >> 1 | (~(s->rc ^ s->rc >> 6) & 1) << 6);
        for (uint8_t k = 0; k < FORKSKINNY_TWEAKEYS; k++) {
            revert(s->tk[k] + 8 * (s->round & 1), k);
        }
    }
}

/* The rounds from the current one to before `end`. */
static void rounds_to(fork_state *s, uint8_t end)
{
    while (s->round != end) {
        uint8_t *x = s->x.bytes;
        uint8_t old[16];

        for (uint8_t i = 0; i < sizeof s->x / sizeof *s->x.cells; i++) {
            s->x.cells[i] = substitute(s->x.cells[i]);
        }
        s->rc = (uint8_t)((s->rc << 1 & 0x7f) | (~(s->rc >> 6 ^ s->rc >> 5) & 1));
        add_round(s);
        for (uint8_t k = 0; k < FORKSKINNY_TWEAKEYS; k++) {
            update(s->tk[k] + 8 * (s->round & 1), k);
        }
        s->round++;
        /* ShiftRows and MixColumns */
        copy_bytes(old, x, 16);
        for (uint8_t j = 0; j < 4; j++, x++) {
            const uint8_t a = old[j], b = old[4 + ((j - 1) & 3)], c = old[8 + (j ^ 2)];

            x[4] = a;
            x[8] = b ^ c;
            x[12] = a ^ c;
            x[0] = a ^ c ^ old[12 + ((j + 1) & 3)];
        }
    }
}

/* The rounds back to `end`, that one included. */
static void rounds_back_to(fork_state *s, uint8_t end)
{
    while (s->round != end) {
        uint8_t *const x = s->x.bytes;
        uint8_t old[16];

        copy_bytes(old, x, 16);
        for (uint8_t j = 0; j < 4; j++) {
            const uint8_t a = old[4 + j], c = old[12 + j] ^ a;

            x[j] = a;
            x[4 + ((j - 1) & 3)] = old[8 + j] ^ c;
            x[8 + (j ^ 2)] = c;
            x[12 + ((j + 1) & 3)] = old[j] ^ old[12 + j];
        }
        s->round--;
        for (uint8_t k = 0; k < FORKSKINNY_TWEAKEYS; k++) {
            revert(s->tk[k] + 8 * (s->round & 1), k);
        }
        add_round(s);
        s->rc = (uint8_t)(s->rc >> 1 | (~(s->rc ^ s->rc >> 6) & 1) << 6);
        for (uint8_t i = 0; i < sizeof s->x / sizeof *s->x.cells; i++) {
            s->x.cells[i] = unsubstitute(s->x.cells[i]);
        }
    }
}

/* Loads tweakeys and a block. */
static void begin(fork_state *s, const uint8_t *block, const uint8_t *tweakey)
{
    load(s->x.bytes, block);
    for (uint8_t k = 0; k < FORKSKINNY_TWEAKEYS; k++) {
        load(s->tk[k], tweakey + FORKSKINNY_BYTES * k);
        update(s->tk[k] + 8, k); /* the second half is used after a permutation */
    }
    s->rc = 0;
    s->round = 0;
}

/* Goes from the branch to C_0 to the fork or back. */
static void add_branch_constant(fork_state *s)
{
    for (uint8_t i = 0; i < 16; i++) {
        s->x.bytes[i] ^= flash_u8(&branch_constant[i]);
    }
}

void forkskinny_set_key(forkskinny_schedule *s, const uint8_t *key)
{
    zero_bytes(s->tweakey, FORKSKINNY_TWEAKEY_BYTES);
    copy_bytes(s->tweakey, key, FORKSKINNY_KEY_BYTES);
}

void forkskinny_set_tweak(forkskinny_schedule *s, const uint8_t *tweak)
{
    copy_bytes(s->tweakey + FORKSKINNY_KEY_BYTES, tweak, FORKSKINNY_TWEAK_BYTES);
}

void forkskinny_encrypt(uint8_t *c0, uint8_t *c1, const uint8_t *m,
                        const forkskinny_schedule *schedule)
{
    cell_state fork;
    fork_state s;

    begin(&s, m, schedule->tweakey);
    rounds_to(&s, FORK);
    fork = s.x;
    rounds_to(&s, END_1);
    store(c1, s.x.bytes);
    if (c0 != NULL) {
        s.x = fork;
        add_branch_constant(&s);
        rounds_to(&s, END_0);
        store(c0, s.x.bytes);
    }
}

void forkskinny_invert(uint8_t *m, uint8_t *c1, const uint8_t *c0,
                       const forkskinny_schedule *schedule)
{
    cell_state fork;
    fork_state s;

    begin(&s, c0, schedule->tweakey);
    skip_to(&s, END_0);
    rounds_back_to(&s, END_1);
    add_branch_constant(&s);
    fork = s.x;
    skip_back_to(&s, FORK);
    rounds_back_to(&s, 0);
    store(m, s.x.bytes);
    s.x = fork;
    skip_to(&s, FORK);
    rounds_to(&s, END_1);
    store(c1, s.x.bytes);
}
