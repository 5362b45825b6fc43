/*
 * Xoodoo[12] for 8-bit machines.
 *
 * References: J. Daemen et al., "Xoodyak, a lightweight cryptographic scheme" (v2, 2021), the
 * permutation Xoodoo; same names.
 *
 * A round goes from one copy of the state to another, so that planes are shifted by lanes when
 * stored, and the parity of the last column is available first. Each lane is fetched once: a
 * column's parity is made as its lanes come, and its lane of plane 1 is kept for the next column.
 */
#include "xoodoo.h"

#include "column8.h"
#include "constants.h"
#include "flash.h"
#include "keep.h"
#include "order.h"

static const uint16_t constants[XOODOO_ROUNDS] IN_FLASH = {XOODOO_CONSTANTS};

/* Stores a lane rotated left by 16 bits; byte by byte if there is no other way. */
ALWAYS_INLINE void store_rotated(uint32_t *a, uint32_t x)
{
#if defined(__AVR__)
    uint8_t *const bytes = (uint8_t *)a;

    bytes[0] = (uint8_t)(x >> 16);
    bytes[1] = (uint8_t)(x >> 24);
    bytes[2] = (uint8_t)x;
    bytes[3] = (uint8_t)(x >> 8);
#else
    *a = little_endian32(x << 16 | x >> 16);
#endif
}

/* theta: adds E, `e`, to a lane of its column; adds the old lane to the column's parity
 * `p`. */
ALWAYS_INLINE uint32_t take_lane(uint32_t lane, uint32_t *p, uint32_t e)
{
    uint32_t a = little_endian32(lane);

    *p ^= a;
    KEEP(*p);
    add_effect(&a, e);
    return a;
}

/* A column, from `from` to `to`. `p` is the parity of column x - 1 and becomes that of column x;
 * `a1` is the lane of plane 1 in column x - 1, with its E added, and becomes that of column x. */
#define COLUMN(x, constant)                                                                        \
    do {                                                                                           \
        const uint32_t e = effect(p);                                                              \
        p = 0;                                                                                     \
        uint32_t a2 = take_lane(from[8 + (x)], &p, e);                                             \
        const uint32_t next = take_lane(from[4 + (x)], &p, e);                                     \
        uint32_t a0 = take_lane(from[x], &p, e);                                                   \
        a0 ^= (constant);                                                                          \
        a2 = rotl32(a2, 3);                                                                        \
        chi(&a0, &a1, &a2);                                                                        \
        to[x] = little_endian32(a0);                                                               \
        to[4 + (x)] = little_endian32(rotl32(a1, 1));                                              \
        store_rotated(to + 8 + ((x) + 2) % 4, a2);                                                 \
        a1 = next;                                                                                 \
        KEEP_POINTER(from);                                                                        \
        KEEP_POINTER(to);                                                                          \
    } while (0)

/* The rounds, from one copy of the state to the other in turn; the number is even, so the last ends
 * in the first copy. */
NEVER_INLINE void rounds(uint32_t *from, uint32_t *to)
{
    for (uint8_t i = 0; i < XOODOO_ROUNDS; i++) {
        uint32_t p = little_endian32(from[2] ^ from[6] ^ from[10]);
        const uint32_t last = effect(p);
        uint32_t a1 = little_endian32(from[7]);

        p = little_endian32(from[3] ^ from[11]) ^ a1;
        add_effect(&a1, last);
        COLUMN(0, flash_u16(&constants[i]));
        COLUMN(1, 0);
        COLUMN(2, 0);
        COLUMN(3, 0);
        uint32_t *const other = from;
        from = to;
        to = other;
    }
}

void xoodoo_permute(xoodoo_state *state)
{
    uint32_t other[XOODOO_BYTES / 4];

    rounds(state->lanes, other);
}
