/*
 * Poly1305 with numbers as bytes, for cores that multiply 8 by 8 bits, and for little code.
 *
 * References: RFC 8439 (2018), section 2.5; names as there.
 */
#include "poly1305.h"

/* x += y, for numbers of 17 bytes. */
static void add(uint8_t x[17], const uint8_t y[17])
{
    uint16_t sum = 0;

    for (uint8_t i = 0; i < 17; i++) {
        sum = (uint16_t)(sum + x[i] + y[i]);
        x[i] = (uint8_t)sum;
        sum >>= 8;
    }
}

void poly1305_init(poly1305 *state, const uint8_t *r)
{
    for (uint8_t i = 0; i < 16; i++) {
        state->r[i] = r[i];
        state->a[i] = 0;
    }
    state->a[16] = 0;
    /* clamp(r) */
    for (uint8_t i = 3; i < 16; i = (uint8_t)(i + 4)) {
        state->r[i] &= 15;
    }
    for (uint8_t i = 4; i < 16; i = (uint8_t)(i + 4)) {
        state->r[i] &= 252;
    }
}

/* a = a r, modulo 2^130 - 5 but not fully: less than 2^131 if a was less than 2^132. */
static void multiply(poly1305 *state)
{
    uint8_t product[33];
    uint32_t sum = 0;

    for (uint8_t i = 0; i < 32; i++) {
        const uint8_t first = i < 16 ? 0 : (uint8_t)(i - 15);
        const uint8_t last = i < 16 ? i : 16;

        for (uint8_t j = first; j <= last; j++) {
            sum += (uint16_t)((unsigned)state->a[j] * state->r[i - j]);
        }
        product[i] = (uint8_t)sum;
        sum >>= 8;
    }
    product[32] = 0; /* since r < 2^124 */

    /* product = 2^130 high + low = 5 high + low = 4 high + high + low */
    uint8_t *high = product + 16;
    for (uint8_t i = 0; i < 16; i++) {
        state->a[i] = product[i];
    }
    state->a[16] = high[0] & 3;
    high[0] &= 0xfc;
    add(state->a, high);
    for (uint8_t i = 0; i < 16; i++) {
        high[i] = (uint8_t)(high[i] >> 2 | high[i + 1] << 6);
    }
    add(state->a, high);
}

void poly1305_blocks(poly1305 *state, const uint8_t *blocks, size_t count, uint8_t top)
{
    uint8_t block[17];

    block[16] = top;
    while (count-- != 0) {
        for (uint8_t i = 0; i < 16; i++) {
            block[i] = *blocks++;
        }
        add(state->a, block);
        multiply(state);
    }
}

void poly1305_finish(const poly1305 *state, uint8_t *s)
{
    uint8_t reduced[17] = {5};
    uint16_t sum = 0;

    /* a < 2p, so that a mod p is a + 5 - 2^130 if that is not negative, else a. */
    add(reduced, state->a);
    const uint8_t mask = (uint8_t)-(reduced[16] >> 2);
    for (uint8_t i = 0; i < 16; i++) {
        const uint8_t a = (uint8_t)((reduced[i] & mask) | (state->a[i] & ~mask));
        sum = (uint16_t)(sum + s[i] + a);
        s[i] = (uint8_t)sum;
        sum >>= 8;
    }
}
