/*
 * Xoodoo[12] optimised for code size: one column in a loop.
 *
 * References: J. Daemen et al., "Xoodyak, a lightweight cryptographic scheme" (v2, 2021), the
 * permutation Xoodoo; same names.
 */
#include "xoodoo.h"

#include "column8.h"
#include "constants.h"
#include "flash.h"
#include "order.h"

static const uint16_t constants[XOODOO_ROUNDS] IN_FLASH = {XOODOO_CONSTANTS};

/* theta: E of the column after the one that begins at `a`, rotated right by 8 bits. */
NEVER_INLINE uint32_t effect_of(const uint32_t *a)
{
    return effect(little_endian32(a[0] ^ a[4] ^ a[8]));
}

void xoodoo_permute(xoodoo_state *state)
{
    uint32_t *const to = state->lanes;
    uint32_t from[XOODOO_BYTES / 4];

    for (uint8_t i = 0; i < XOODOO_ROUNDS; i++) {
        uint16_t constant = flash_u16(&constants[i]);

        for (uint8_t x = 0; x < XOODOO_BYTES / 4; x++) {
            from[x] = to[x];
        }
        uint32_t e = effect_of(from + 2);
        for (uint8_t x = 0; x < 4; x++) {
            const uint32_t *const before = from + ((x - 1) & 3);
            uint32_t a0 = little_endian32(from[x]);
            uint32_t a1 = little_endian32(before[4]);
            uint32_t a2 = little_endian32(from[8 + x]);

            add_effect(&a1, e);
            e = effect_of(before);
            add_effect(&a0, e);
            add_effect(&a2, e);
            a0 ^= constant;
            constant = 0;
            a2 = rotl32(a2, 3);
            chi(&a0, &a1, &a2);
            to[x] = little_endian32(a0);
            to[4 + x] = little_endian32(rotl32(a1, 1));
            to[8 + (x ^ 2)] = little_endian32(a2 << 16 | a2 >> 16);
        }
    }
}
