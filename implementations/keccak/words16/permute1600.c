/*
 * Keccak-f[1600] in words of 16 bits, for 16-bit machines. One lane is in registers at a time.
 *
 * References: FIPS 202 (2015), sections 3.2 and 3.3: theta, rho, pi, chi, iota; same names.
 */
#include "constants.h"
#include "flash.h"
#include "keccak1600.h"
#include "rotate64.h"

/* Not chosen by "small/state1600.h"? */
#if !defined(KECCAK1600_WORD) || KECCAK1600_WORD == 16

static const uint8_t constants[KECCAK1600_ROUNDS] IN_FLASH = {KECCAK1600_CONSTANTS};

/* The lane at `p`. */
static inline rotate64_parts load_lane(const uint16_t *p)
{
    rotate64_parts x;

    x.part[0] = p[0];
    x.part[1] = p[1];
    x.part[2] = p[2];
    x.part[3] = p[3];
    return x;
}

/* Writes D to `d`: the lane that theta adds to each column. */
static inline void parities(uint16_t *d, const uint16_t *a)
{
    uint16_t c[28]; /* C[4], C[0], ..., C[4], C[0] */

    for (uint8_t i = 0; i < 20; i++, a++) {
        c[4 + i] = (uint16_t)(a[0] ^ a[20] ^ a[40] ^ a[60] ^ a[80]);
    }
    for (uint8_t i = 0; i < 4; i++) {
        c[i] = c[20 + i];
        c[24 + i] = c[4 + i];
    }
    for (uint8_t i = 0; i < 20; i = (uint8_t)(i + 4), d += 4) {
        rotate64_parts x = load_lane(c + 8 + i);

        rotl64_by_1(&x);
        d[0] = x.part[0] ^ c[i];
        d[1] = x.part[1] ^ c[i + 1];
        d[2] = x.part[2] ^ c[i + 2];
        d[3] = x.part[3] ^ c[i + 3];
    }
}

/* Saves word j of the lane at `to`, with theta's sum added, to `moved` and stores word j of `x`. */
#define EXCHANGE(j)                                                                                \
    do {                                                                                           \
        const uint16_t word = to[j] ^ *add++;                                                      \
                                                                                                   \
        to[j] = x.part[j];                                                                         \
        moved[j] = word;                                                                           \
        moved[4 + (j)] = word;                                                                     \
    } while (0)

/* The end of theta, rho and pi: each lane goes to the next position of pi's cycle, which begins and
 * ends with lane (1, 0). */
static inline void move_lanes(uint16_t *a, const uint16_t *d)
{
    /* The positions, each with the offset of its column in D. */
    static const uint8_t path[2 * 24] IN_FLASH = {
        40, 0,  28, 8, 44, 4,  68, 8,  72, 12, 12, 12, 20, 0,  64, 4,
        32, 12, 84, 4, 96, 16, 16, 16, 60, 0,  92, 12, 76, 16, 52, 12,
        48, 8,  8,  8, 80, 0,  56, 16, 88, 8,  36, 16, 24, 4,  4,  4,
    };
    const uint8_t *next = path;
    uint16_t moved[8]; /* a lane, twice: a rotation by words begins in the middle */
    uint8_t n = 8;

    for (uint8_t j = 0; j < 4; j++) {
        a[j] ^= d[j];
        moved[j] = moved[4 + j] = a[4 + j] ^ d[4 + j];
    }
    for (uint8_t i = 1; i < 25; i++) {
        uint16_t *to = a + flash_u8(next++);
        const uint16_t *add = d + flash_u8(next++);

        n = (uint8_t)(n + i) % 64; /* t (t + 1) / 2, and 8 */
        rotate64_parts x = load_lane(moved + 4 - n / 16);

        for (uint8_t left = n % 16; left > 8; left--) {
            rotl64_by_1(&x);
        }
        for (uint8_t left = n % 16; left < 8; left++) {
            rotr64_by_1(&x);
        }
        EXCHANGE(0);
        EXCHANGE(1);
        EXCHANGE(2);
        EXCHANGE(3);
    }
}

/* Chi. */
static inline void chi(uint16_t *a)
{
    for (uint8_t y = 0; y < 5; y++, a += 16) {
        for (uint8_t j = 0; j < 4; j++, a++) {
            const uint16_t b0 = a[0], b1 = a[4], b2 = a[8], b3 = a[12], b4 = a[16];

            a[0] = (uint16_t)(b0 ^ (~b1 & b2));
            a[4] = (uint16_t)(b1 ^ (~b2 & b3));
            a[8] = (uint16_t)(b2 ^ (~b3 & b4));
            a[12] = (uint16_t)(b3 ^ (~b4 & b0));
            a[16] = (uint16_t)(b4 ^ (~b0 & b1));
        }
    }
}

/* Iota. */
static inline void iota(uint16_t *a, unsigned c)
{
    a[0] = (uint16_t)(a[0] ^ ((c & 1) | (c & 2) | (c & 4) << 1 | (c & 8) << 4 | (c & 16) << 11));
    a[1] = (uint16_t)(a[1] ^ (c & 32) << 10);
    a[3] = (uint16_t)(a[3] ^ (c & 64) << 9);
}

void keccak1600_permute(keccak1600_state *state)
{
    uint16_t d[20];

    for (uint8_t i = 0; i < KECCAK1600_ROUNDS; i++) {
        parities(d, state->a);
        move_lanes(state->a, d);
        chi(state->a);
        iota(state->a, flash_u8(&constants[i]));
    }
}

#endif
