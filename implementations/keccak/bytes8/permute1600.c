/*
 * Keccak-f[1600] in bytes, for 8-bit machines. One or two lanes are in registers at a time.
 *
 * References: FIPS 202 (2015), sections 3.2 and 3.3: theta, rho, pi, chi, iota; same names.
 */
#include "constants.h"
#include "flash.h"
#include "keccak1600.h"
#include "keep.h"
#include "word64.h"

/* Not chosen by "small/state1600.h"? */
#if !defined(KECCAK1600_WORD) || KECCAK1600_WORD == 8

static const uint8_t constants[KECCAK1600_ROUNDS] IN_FLASH = {KECCAK1600_CONSTANTS};

/* Adds the 8 bytes at `p` to the word. */
ALWAYS_INLINE void add_word(word *x, const uint8_t *p)
{
    x->b[0] ^= p[0];
    x->b[1] ^= p[1];
    x->b[2] ^= p[2];
    x->b[3] ^= p[3];
    x->b[4] ^= p[4];
    x->b[5] ^= p[5];
    x->b[6] ^= p[6];
    x->b[7] ^= p[7];
}

/* Writes D to `d`: the lane that theta adds to each column. */
static void parities(uint8_t *d, const uint8_t *a)
{
    uint8_t c[56]; /* C[4], C[0], ..., C[4], C[0] */

    for (uint8_t i = 0; i < 40; i++, a++) {
        c[8 + i] = (uint8_t)(a[0] ^ a[40] ^ a[80] ^ a[120] ^ a[160]);
    }
    for (uint8_t i = 0; i < 8; i++) {
        c[i] = c[40 + i];
        c[48 + i] = c[8 + i];
    }
    for (uint8_t i = 0; i < 40; i = (uint8_t)(i + 8)) {
        word x = load_word(c + 16 + i);

        rotate(&x, -1);
        add_word(&x, c + i);
        store_word(d + i, &x);
    }
}

/* Saves byte j of the lane at `to`, with theta's sum added, to `moved` and stores byte j of `x`. */
#define EXCHANGE(j)                                                                                \
    do {                                                                                           \
        const uint8_t byte = to[j] ^ *add++;                                                       \
                                                                                                   \
        to[j] = x.b[j];                                                                            \
        moved[j] = byte;                                                                           \
        moved[8 + (j)] = byte;                                                                     \
    } while (0)

/* The end of theta, rho and pi: each lane goes to the next position of pi's cycle, which begins and
 * ends with lane (1, 0). */
static void move_lanes(uint8_t *a, const uint8_t *d)
{
    /* The positions, each with the offset of its column in D. */
    static const uint8_t path[2 * 24] IN_FLASH = {
        80, 0,  56,  16, 88,  8,  136, 16, 144, 24, 24,  24, 40,  0,  128, 8,
        64, 24, 168, 8,  192, 32, 32,  32, 120, 0,  184, 24, 152, 32, 104, 24,
        96, 16, 16,  16, 160, 0,  112, 32, 176, 16, 72,  32, 48,  8,  8,   8,
    };
    uint8_t moved[16]; /* a lane, twice: a rotation by bytes begins in the middle */
    uint8_t n = 0;

    for (uint8_t j = 0; j < 8; j++) {
        a[j] ^= d[j];
        moved[j] = moved[8 + j] = a[8 + j] ^ d[8 + j];
    }
    for (uint8_t i = 0; i < 24; i++) {
        uint8_t *to = a + flash_u8(&path[2 * i]);
        const uint8_t *add = d + flash_u8(&path[2 * i + 1]);

        n = (uint8_t)(n + i + 1) % 64; /* (t + 1)(t + 2) / 2 */
        const uint8_t bytes = (uint8_t)(n + 4) / 8 % 8;
        word x = load_word(moved + 8 - bytes);

        for (uint8_t left = (uint8_t)(n + 4) & 7; left > 4; left--) {
            rotate_left_by_1(&x);
        }
        for (uint8_t left = (uint8_t)(n + 4) & 7; left < 4; left++) {
            rotate_right_by_1(&x);
        }
        KEEP_POINTER(to);
        EXCHANGE(0);
        EXCHANGE(1);
        EXCHANGE(2);
        EXCHANGE(3);
        EXCHANGE(4);
        EXCHANGE(5);
        EXCHANGE(6);
        EXCHANGE(7);
    }
}

/* Chi. */
static void chi(uint8_t *a)
{
    for (uint8_t y = 0; y < 5; y++, a += 32) {
        for (uint8_t j = 0; j < 8; j++, a++) {
            const uint8_t b0 = a[0], b1 = a[8], b2 = a[16], b3 = a[24], b4 = a[32];

            a[0] = (uint8_t)(b0 ^ (~b1 & b2));
            a[8] = (uint8_t)(b1 ^ (~b2 & b3));
            a[16] = (uint8_t)(b2 ^ (~b3 & b4));
            a[24] = (uint8_t)(b3 ^ (~b4 & b0));
            a[32] = (uint8_t)(b4 ^ (~b0 & b1));
        }
    }
}

/* Iota. */
static void iota(uint8_t *a, uint8_t c)
{
    a[0] = (uint8_t)(a[0] ^ ((c & 1) | (c & 2) | (c & 4) << 1 | (c & 8) << 4));
    a[1] = (uint8_t)(a[1] ^ (c & 16) << 3);
    a[3] = (uint8_t)(a[3] ^ (c & 32) << 2);
    a[7] = (uint8_t)(a[7] ^ (c & 64) << 1);
}

void keccak1600_permute(keccak1600_state *state)
{
    uint8_t d[40];

    for (uint8_t i = 0; i < KECCAK1600_ROUNDS; i++) {
        parities(d, state->a);
        move_lanes(state->a, d);
        chi(state->a);
        iota(state->a, flash_u8(&constants[i]));
    }
}

#endif
