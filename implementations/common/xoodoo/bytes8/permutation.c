/*
 * Xoodoo[12] for 8-bit machines.
 *
 * References: J. Daemen et al., "Xoodyak, a lightweight cryptographic scheme" (v2, 2021), the
 * permutation Xoodoo; names as there.
 *
 * A round goes from one copy of the state to another, so that planes are shifted by lanes as they
 * are stored, and parities can be had at any time.
 */
#include "xoodoo.h"

#include "column8.h"
#include "constants.h"
#include "flash.h"
#include "keep.h"
#include "order.h"

static const uint16_t constants[XOODOO_ROUNDS] IN_FLASH = {XOODOO_CONSTANTS};

/* theta: E of the column after the one that begins at `a`, rotated right by 8 bits. */
ALWAYS_INLINE uint32_t effect_of(const uint32_t *a)
{
    return effect(little_endian32(a[0] ^ a[4] ^ a[8]));
}

/* Stores a lane rotated left by 16 bits. */
ALWAYS_INLINE void store_rotated(uint32_t *a, uint32_t x)
{
    uint8_t *const bytes = (uint8_t *)a;

    bytes[0] = (uint8_t)(x >> 16);
    bytes[1] = (uint8_t)(x >> 24);
    bytes[2] = (uint8_t)x;
    bytes[3] = (uint8_t)(x >> 8);
}

/* A column, from `from` to `to`. `e` is E of column x - 1 and becomes that of column x, both
 * rotated right by 8 bits. */
#define COLUMN(x, constant)                                                                        \
    do {                                                                                           \
        uint32_t a0 = little_endian32(from[x]);                                                    \
        uint32_t a1 = little_endian32(from[4 + ((x) + 3) % 4]);                                    \
        uint32_t a2 = little_endian32(from[8 + (x)]);                                              \
        add_effect(&a1, e);                                                                        \
        e = effect_of(from + ((x) + 3) % 4);                                                       \
        add_effect(&a0, e);                                                                        \
        add_effect(&a2, e);                                                                        \
        a0 ^= (constant);                                                                          \
        a2 = rotl32(a2, 3);                                                                        \
        chi(&a0, &a1, &a2);                                                                        \
        to[x] = little_endian32(a0);                                                               \
        to[4 + (x)] = little_endian32(rotl32(a1, 1));                                              \
        store_rotated(to + 8 + ((x) + 2) % 4, a2);                                                 \
        KEEP_POINTER(from);                                                                        \
        KEEP_POINTER(to);                                                                          \
    } while (0)

/* The rounds, from one copy of the state to the other in turn; of an even number, the last ends in
 * the first copy. */
NEVER_INLINE void rounds(uint32_t *from, uint32_t *to)
{
    for (uint8_t i = 0; i < XOODOO_ROUNDS; i++) {
        uint32_t e = effect_of(from + 2);

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
