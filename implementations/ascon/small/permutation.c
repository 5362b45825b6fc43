/*
 * Ascon's permutations, optimised for code size.
 *
 * References: NIST SP 800-232 (2025), sections 3.2 to 3.4; Ascon v1.2 (2021), section 2.6.
 */
#include "permutation.h"

#include <limits.h>

#include "flash.h"
#include "sbox.h"

#if UINT_MAX > 0xffff && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__

/* The amounts by which the linear diffusion layer rotates each word to the right. */
static const uint8_t amounts[10] = {19, 28, 61, 39, 1, 6, 10, 17, 7, 41};

void ascon_permute(ascon_state *s, uint8_t constant)
{
    for (; constant != ASCON_END; constant = (uint8_t)(constant - ASCON_STEP)) {
        uint32_t *x = s->words;

        x[4] ^= constant;
        for (unsigned i = 0; i < 2; i++, x++) {
            ASCON_SBOX(uint32_t, x[0], x[2], x[4], x[6], x[8]);
        }
        x = s->words;
        for (unsigned i = 0; i < 10; x += 2) {
            const uint32_t low = x[0], high = x[1];

            do {
                uint32_t l = low, h = high;
                unsigned n = amounts[i];
                if (n >= 32) {
                    l = high;
                    h = low;
                    n -= 32;
                }
                x[0] ^= l >> n ^ h << (32 - n);
                x[1] ^= h >> n ^ l << (32 - n);
                i++;
            } while (i % 2 != 0);
        }
    }
}

#else

/* For each rotation of the linear diffusion layer: the bytes to the right, and the bits, as the
 * factor that shifts the rest of a byte into the next one down. */
static const uint8_t amounts[] IN_FLASH = {
    2, 1 << 5, 3, 1 << 4, 7, 1 << 3, 4, 1 << 1, 0, 1 << 7,
    0, 1 << 2, 1, 1 << 6, 2, 1 << 7, 0, 1 << 1, 5, 1 << 7,
};

void ascon_permute(ascon_state *s, uint8_t constant)
{
    for (; constant != ASCON_END; constant = (uint8_t)(constant - ASCON_STEP)) {
        uint8_t *x = s->bytes;

        x[16] ^= constant;
        for (uint8_t i = 0; i < 8; i++, x++) {
            uint8_t x0 = x[0], x1 = x[8], x2 = x[16], x3 = x[24], x4 = x[32];
            ASCON_SBOX(uint8_t, x0, x1, x2, x3, x4);
            x[0] = x0;
            x[8] = x1;
            x[16] = x2;
            x[24] = x3;
            x[32] = x4;
        }
        x = s->bytes;
        for (uint8_t i = 0; i < sizeof amounts; x += 8) {
            uint8_t old[8];

            for (uint8_t j = 0; j < 8; j++) {
                old[j] = x[j];
            }
            do {
                uint8_t to = (uint8_t)-flash_u8(&amounts[i]);
                const uint8_t factor = flash_u8(&amounts[i + 1]);

                for (uint8_t j = 0; j < 8; j++, to++) {
                    const uint16_t shifted = (uint16_t)((unsigned)old[j] * factor);
                    x[to & 7] ^= (uint8_t)(shifted >> 8);
                    x[(to - 1) & 7] ^= (uint8_t)shifted;
                }
                i = (uint8_t)(i + 2);
            } while (i % 4 != 0);
        }
    }
}

#endif
