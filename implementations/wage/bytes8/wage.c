/*
 * The permutation WAGE in a normal basis, in bytes.
 *
 * References: M. Aagaard, R. AlTawy, G. Gong, K. Mandal, R. Rohit, N. Zidaric, "WAGE: An
 * Authenticated Cipher" (submission to NIST's lightweight cryptography project, round 2, 2019),
 * section 2; same names.
 *
 * SB's additions to stages 5, 11, 24 and 30 are not read in the next round, and SB reads no stage
 * that they change: it processes the eight values of two rounds in parallel, as bit planes, in the
 * basis of the specification. WGP cannot be deferred, since it is its own input in the next round.
 */
#include "wage.h"

#include "flash.h"
#include "inline.h"
#include "keep.h"
#include "lanes.h"
#include "unroll.h"

enum { ROUNDS = 111, ROOM = 40 }; /* ROOM: the stages, in whole groups of LANES */

/* rc0 and rc1 of each round, in the normal basis. */
/* clang-format off */
static const uint8_t constants[2 * ROUNDS] IN_FLASH = {
    0x55, 0x2a, 0x31, 0x07, 0x1f, 0x73, 0x30, 0x7f, 0x1b, 0x36, 0x18, 0x6c, 0x43, 0x4f, 0x64, 0x2d,
    0x2e, 0x74, 0x2f, 0x0c, 0x2b, 0x49, 0x03, 0x5a, 0x5b, 0x23, 0x27, 0x62, 0x4a, 0x59, 0x01, 0x78,
    0x04, 0x45, 0x28, 0x13, 0x58, 0x79, 0x7c, 0x41, 0x6d, 0x3b, 0x4b, 0x21, 0x05, 0x3d, 0x2c, 0x56,
    0x70, 0x6a, 0x24, 0x38, 0x11, 0x7a, 0x26, 0x1a, 0x4e, 0x1c, 0x29, 0x6b, 0x5c, 0x3c, 0x54, 0x52,
    0x35, 0x42, 0x37, 0x60, 0x68, 0x06, 0x67, 0x77, 0x75, 0x57, 0x08, 0x6e, 0x61, 0x10, 0x02, 0x22,
    0x5f, 0x66, 0x0f, 0x71, 0x12, 0x20, 0x7d, 0x39, 0x69, 0x7e, 0x63, 0x32, 0x5d, 0x44, 0x50, 0x17,
    0x1d, 0x51, 0x6f, 0x19, 0x14, 0x47, 0x0a, 0x4c, 0x3e, 0x76, 0x0d, 0x53, 0x4d, 0x46, 0x72, 0x48,
    0x7b, 0x5e, 0x1e, 0x0b, 0x34, 0x3a, 0x33, 0x25, 0x40, 0x15, 0x3f, 0x0e, 0x09, 0x16, 0x65, 0x55,
    0x2a, 0x31, 0x07, 0x1f, 0x73, 0x30, 0x7f, 0x1b, 0x36, 0x18, 0x6c, 0x43, 0x4f, 0x64, 0x2d, 0x2e,
    0x74, 0x2f, 0x0c, 0x2b, 0x49, 0x03, 0x5a, 0x5b, 0x23, 0x27, 0x62, 0x4a, 0x59, 0x01, 0x78, 0x04,
    0x45, 0x28, 0x13, 0x58, 0x79, 0x7c, 0x41, 0x6d, 0x3b, 0x4b, 0x21, 0x05, 0x3d, 0x2c, 0x56, 0x70,
    0x6a, 0x24, 0x38, 0x11, 0x7a, 0x26, 0x1a, 0x4e, 0x1c, 0x29, 0x6b, 0x5c, 0x3c, 0x54, 0x52, 0x35,
    0x42, 0x37, 0x60, 0x68, 0x06, 0x67, 0x77, 0x75, 0x57, 0x08, 0x6e, 0x61, 0x10, 0x02, 0x22, 0x5f,
    0x66, 0x0f, 0x71, 0x12, 0x20, 0x7d, 0x39, 0x69, 0x7e, 0x63, 0x32, 0x5d, 0x44, 0x50,
};
/* clang-format on */

/* Adds SB of stages 8, 15, 27 and 34 to stages 5, 11, 24 and 30 in two rounds. */
ALWAYS_INLINE void add_sb(uint8_t *p)
{
    values x[7] = {0};

    KEEP_POINTER(p);
    lane_in(x, p[8]);
    lane_in(x, p[9]);
    lane_in(x, p[15]);
    lane_in(x, p[16]);
    lane_in(x, p[27]);
    lane_in(x, p[28]);
    lane_in(x, p[34]);
    lane_in(x, p[35]);
    planes_from_normal(x);
    sb_of_planes(x);
    planes_to_normal(x);
    p[5] ^= lane_out(x);
    p[6] ^= lane_out(x);
    p[11] ^= lane_out(x);
    p[12] ^= lane_out(x);
    p[24] ^= lane_out(x);
    p[25] ^= lane_out(x);
    p[30] ^= lane_out(x);
    p[31] ^= lane_out(x);
}

/* The rounds, except SB in the last one. The stages do not move: round i begins at stage i of a
 * longer register. */
NEVER_INLINE void rounds(uint8_t *p)
{
    const uint8_t *rc = constants;
    uint8_t s18 = p[18], s36 = p[36];

    for (uint8_t i = 0; i < ROUNDS; i++) {
        uint8_t s19, s37;

        KEEP_POINTER(p);
        s19 = p[19];
        s37 = p[6] ^ p[8] ^ p[12] ^ p[13] ^ s19 ^ p[24] ^ p[26] ^ p[30] ^ p[31];
        add_omega_times(&s37, p[0]);
        s19 ^= flash_u8(rc);
        s37 ^= flash_u8(rc + 1);
        rc += 2;
        KEEP(s19);
        KEEP(s37);
        wgp(&s18, &s36);
        s18 ^= s19;
        s36 ^= s37;
        p[19] = s18;
        p[37] = s36;
        if (i & 1) {
            add_sb(p - 1);
        }
        p++;
    }
}

/* Converts eight values to the normal basis, or back. */
NEVER_INLINE void convert(uint8_t v[LANES], uint8_t to)
{
    values x[7] = {0};

    UNROLL
    for (uint8_t i = 0; i < LANES; i++) {
        lane_in(x, v[i]);
    }
    if (to) {
        planes_to_normal(x);
    } else {
        planes_from_normal(x);
    }
    UNROLL
    for (uint8_t i = 0; i < LANES; i++) {
        v[i] = lane_out(x);
    }
}

/* Adds SB as in the first of two rounds; the second does not follow. */
NEVER_INLINE void add_sb_once(uint8_t *p)
{
    const uint8_t s6 = p[6], s12 = p[12], s25 = p[25], s31 = p[31];

    add_sb(p);
    p[6] = s6;
    p[12] = s12;
    p[25] = s25;
    p[31] = s31;
}

void wage_permute(uint8_t s[WAGE_STAGES])
{
    uint8_t stages[ROOM + ROUNDS];
    uint8_t *const end = stages + ROUNDS;

    for (uint8_t i = 0; i < WAGE_STAGES; i++) {
        stages[i] = s[i];
    }
    for (uint8_t i = WAGE_STAGES; i < ROOM; i++) {
        stages[i] = 0;
        end[i] = 0;
    }
    for (uint8_t i = 0; i < ROOM; i = (uint8_t)(i + LANES)) {
        convert(stages + i, 1);
    }
    rounds(stages);
    add_sb_once(end - 1);
    for (uint8_t i = 0; i < ROOM; i = (uint8_t)(i + LANES)) {
        convert(end + i, 0);
    }
    for (uint8_t i = 0; i < WAGE_STAGES; i++) {
        s[i] = end[i];
    }
}
