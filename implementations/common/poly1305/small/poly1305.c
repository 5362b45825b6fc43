/*
 * Poly1305 with numbers as bytes, in little code.
 *
 * References: RFC 8439 (2018), section 2.5; names as there.
 *
 * A number is 17 bytes, so that a byte of weight 2^136 2^(8 i) counts 5 2^6 times at 2^(8 i).
 */
#include "poly1305.h"

void poly1305_init(poly1305 *state, const uint8_t *r)
{
    for (uint8_t i = 0; i < 16; i++) {
        uint8_t mask = 0xff; /* clamp(r) */

        if ((i & 3) == 3) {
            mask = 15;
        } else if ((i & 3) == 0 && i != 0) {
            mask = 252;
        }
        state->r[i] = r[i] & mask;
        state->a[i] = 0;
    }
    state->r[16] = 0;
    state->a[16] = 0;
}

/* a = a r, modulo 2^130 - 5 but not fully: less than 2^131. No column exceeds
 * 17 * 255 * 255 * 320 < 2^32. */
static void multiply(uint8_t a[17], const uint8_t r[17])
{
    uint32_t columns[17], sum = 0;

    for (uint8_t i = 0; i < 17; i++) {
        uint32_t column = 0, above = 0; /* above: of weight 2^136 2^(8 i) */

        for (uint8_t j = 0; j < 17; j++) {
            const uint8_t low = (uint8_t)(i - j);

            if (j <= i) {
                column += (uint32_t)a[j] * r[low];
            } else {
                above += (uint32_t)a[j] * r[(uint8_t)(low + 17)];
            }
        }
        columns[i] = column + 320U * above;
    }
    for (uint8_t i = 0; i < 17; i++) {
        sum += columns[i];
        a[i] = (uint8_t)sum;
        sum >>= 8;
    }
    sum = 5 * (sum << 6 | a[16] >> 2);
    a[16] &= 3;
    for (uint8_t i = 0; i < 17; i++) {
        sum += a[i];
        a[i] = (uint8_t)sum;
        sum >>= 8;
    }
}

void poly1305_blocks(poly1305 *state, const uint8_t *blocks, size_t count, uint8_t top)
{
    while (count-- != 0) {
        uint16_t sum = 0;

        for (uint8_t i = 0; i < 16; i++) {
            sum = (uint16_t)(sum + state->a[i] + *blocks++);
            state->a[i] = (uint8_t)sum;
            sum >>= 8;
        }
        state->a[16] = (uint8_t)(state->a[16] + sum + top);
        multiply(state->a, state->r);
    }
}

void poly1305_finish(const poly1305 *state, uint8_t *s)
{
    uint16_t sum = 5;

    /* a < 2p, so that a mod p is a + 5 - 2^130 if that is not negative, else a. */
    for (uint8_t i = 0; i < 16; i++) {
        sum = (uint16_t)(sum + state->a[i]) >> 8;
    }
    sum = (uint16_t)((sum + state->a[16]) >> 2) * 5u;
    for (uint8_t i = 0; i < 16; i++) {
        sum = (uint16_t)(sum + s[i] + state->a[i]);
        s[i] = (uint8_t)sum;
        sum >>= 8;
    }
}
