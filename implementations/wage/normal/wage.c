/*
 * The permutation WAGE in a normal basis, three rounds at a time.
 *
 * References: M. Aagaard, R. AlTawy, G. Gong, K. Mandal, R. Rohit, N. Zidaric, "WAGE: An
 * Authenticated Cipher" (submission to NIST's lightweight cryptography project, round 2, 2019),
 * section 2; same names.
 *
 * The seven bits of WGP are computed in parallel, and for both values of a round.
 *
 * SB's additions to stages 5, 11, 24 and 30 are not read in the next two rounds, and SB reads no
 * stage that they change: it processes the twelve values of three rounds in parallel, as bit
 * planes, in the basis of the specification. WGP cannot be deferred, since it is its own input in
 * the next round.
 *
 * A word holds three stages, the first in its lowest byte; the fourth byte is zero.
 */
#include "wage.h"

#include "basis.h"
#include "flash.h"
#include "inline.h"
#include "planes.h"

enum { TURNS = 37, TURN = 3, WORDS = 13, ROOM = 16 };

/* rc0 and rc1 of three rounds each, in the normal basis. */
/* clang-format off */
static const uint32_t constants[2 * TURNS] IN_FLASH = {
    0x1f3155, 0x73072a, 0x181b30, 0x6c367f, 0x2e6443, 0x742d4f, 0x032b2f, 0x5a490c,
    0x4a275b, 0x596223, 0x280401, 0x134578, 0x6d7c58, 0x3b4179, 0x2c054b, 0x563d21,
    0x112470, 0x7a386a, 0x294e26, 0x6b1c1a, 0x35545c, 0x42523c, 0x676837, 0x770660,
    0x610875, 0x106e57, 0x0f5f02, 0x716622, 0x697d12, 0x7e3920, 0x505d63, 0x174432,
    0x146f1d, 0x471951, 0x0d3e0a, 0x53764c, 0x7b724d, 0x5e4846, 0x33341e, 0x253a0b,
    0x093f40, 0x160e15, 0x072a65, 0x1f3155, 0x367f73, 0x181b30, 0x2d4f6c, 0x2e6443,
    0x490c74, 0x032b2f, 0x62235a, 0x4a275b, 0x457859, 0x280401, 0x417913, 0x6d7c58,
    0x3d213b, 0x2c054b, 0x386a56, 0x112470, 0x1c1a7a, 0x294e26, 0x523c6b, 0x35545c,
    0x066042, 0x676837, 0x6e5777, 0x610875, 0x662210, 0x0f5f02, 0x392071, 0x697d12,
    0x44327e, 0x505d63,
};
/* clang-format on */

/* Stages n, n + 1 and n + 2. */
ALWAYS_INLINE uint32_t get(const uint32_t *p, uint8_t n)
{
    p += n / TURN;
    switch (n % TURN) {
    case 0:
        return p[0];
    case 1:
        return p[0] >> 8 | (p[1] & 0xff) << 16;
    default:
        return p[0] >> 16 | (p[1] & 0xffff) << 8;
    }
}

/* Adds to stages n, n + 1 and n + 2. */
ALWAYS_INLINE void add(uint32_t *p, uint8_t n, uint32_t x)
{
    p += n / TURN;
    switch (n % TURN) {
    case 0:
        p[0] ^= x;
        break;
    case 1:
        p[0] ^= (x & 0xffff) << 8;
        p[1] ^= x >> 16;
        break;
    default:
        p[0] ^= (x & 0xff) << 16;
        p[1] ^= x >> 8;
        break;
    }
}

/* WGP of two values, in bits 0 to 6 and 16 to 22, leaving other bits undefined. */
ALWAYS_INLINE uint32_t wgp(uint32_t x)
{
    const uint32_t x0 = x | x << 7; /* bit n of each rotation is bit n of xn */
    const uint32_t x1 = x0 >> 1, x2 = x0 >> 2, x3 = x0 >> 3, x4 = x0 >> 4, x5 = x0 >> 5;
    const uint32_t x6 = x0 >> 6;

    return wgp_of_rotations(x0, x1, x2, x3, x4, x5, x6);
}

/* The values that the stages add to the new ones in three rounds, without WGP and constants. */
ALWAYS_INLINE uint32_t feedback(const uint32_t *p)
{
    return times_omega(get(p, 0)) ^ get(p, 6) ^ get(p, 8) ^ get(p, 12) ^ get(p, 13) ^ get(p, 19) ^
           get(p, 24) ^ get(p, 26) ^ get(p, 30) ^ get(p, 31);
}

/* Adds SB of stages 8, 15, 27 and 34 to stages 5, 11, 24 and 30 in three rounds. */
ALWAYS_INLINE void add_sb(uint32_t *p)
{
    uint32_t w[4] = {get(p, 8), get(p, 15), get(p, 27), get(p, 34)};

    sb(w);
    add(p, 5, w[0]);
    add(p, 11, w[1]);
    add(p, 24, w[2]);
    add(p, 30, w[3]);
}

void wage_permute(uint8_t s[WAGE_STAGES])
{
    const uint32_t both = UINT32_C(0x007f007f);
    uint32_t words[ROOM + TURNS] = {0};
    uint32_t *p = words;
    uint32_t x; /* stages 18 and 36, as wgp takes them */

    for (uint8_t i = 0; i < WAGE_STAGES; i++) {
        words[i / TURN] |= (uint32_t)s[i] << 8 * (i % TURN);
    }
    to_normal(words, ROOM);
    x = (p[6] & 0xff) | p[12] << 16;
    for (uint8_t turn = 0; turn < TURNS; turn++, p++) {
        const uint32_t *const rc = constants + 2 * turn;
        const uint32_t a = get(p, 19) ^ flash_u32(rc);
        const uint32_t b = feedback(p) ^ flash_u32(rc + 1);
        const uint32_t x1 = (wgp(x) ^ (a & 0xff) ^ b << 16) & both;
        const uint32_t x2 = (wgp(x1) ^ (a >> 8 & 0xff) ^ (b & 0xff00) << 8) & both;

        x = (wgp(x2) ^ a >> 16 ^ (b & 0xff0000)) & both;
        add_sb(p);
        p[6] = (p[6] & 0xff) | (x1 & 0xff) << 8 | (x2 & 0xff) << 16;
        p[7] = (p[7] & 0xffff00) | (x & 0xff);
        p[12] |= (x1 >> 8 & 0xff00) | (x2 & 0xff0000);
        p[13] = x >> 16;
    }
    from_normal(p, ROOM);
    for (uint8_t i = 0; i < WAGE_STAGES; i++) {
        s[i] = (uint8_t)(p[i / TURN] >> 8 * (i % TURN));
    }
}
