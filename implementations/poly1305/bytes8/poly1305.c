/*
 * Poly1305 with numbers as bytes, for cores that multiply 8 by 8 bits, and for small code.
 *
 * References: RFC 8439 (2018), section 2.5; same names.
 */
#include "poly1305.h"

#include "inline.h"
#include "multiply.h"

void poly1305_init(poly1305 *state, const uint8_t *r)
{
    for (uint8_t i = 0; i < 16; i++) {
        state->r[i] = r[i];
        state->a[i] = 0;
    }
    state->a[16] = 0;
    state->a[17] = 0;
    /* clamp(r) */
    for (uint8_t i = 3; i < 16; i = (uint8_t)(i + 4)) {
        state->r[i] &= 15;
    }
    for (uint8_t i = 4; i < 16; i = (uint8_t)(i + 4)) {
        state->r[i] &= 252;
    }
}

/* product = a r, by columns of two bytes: each iteration of the inner loop multiplies two bytes of
 * `a` by two of `r`; the products belong to this column, half a column further, and the next. Not
 * inlined, so that all registers are available. */
NEVER_INLINE void multiply(uint8_t product[33], const poly1305 *state)
{
    const uint8_t *first_a = state->a, *last_r = state->r + 2;
    uint8_t terms = 1;
    sum24 low = 0;

    for (uint8_t column = 0; column < 16; column++) {
        const uint8_t *a = first_a, *r = last_r;
        sum24 middle = 0, high = 0;
        uint8_t n = terms;

        do {
            const uint8_t a0 = next(&a), a1 = next(&a);
            const uint8_t r1 = previous(&r), r0 = previous(&r);

            multiply_add(&low, a0, r0);
            multiply_add(&middle, a0, r1);
            multiply_add(&middle, a1, r0);
            multiply_add(&high, a1, r1);
        } while (--n != 0);
        *product++ = (uint8_t)low;
        middle += (uint16_t)(low >> 8);
        *product++ = (uint8_t)middle;
        low = high + (uint16_t)(middle >> 8);

        if (column < 7) {
            last_r += 2;
            terms++;
        } else {
            first_a += 2;
            if (column > 7) {
                terms--;
            }
        }
    }
    *product = 0; /* since a < 2^132 and r < 2^124 */
}

/* a = product, modulo 2^130 - 5 but not fully: less than 2^131. */
NEVER_INLINE void reduce(uint8_t a[18], uint8_t product[33])
{
    /* product = 2^130 high + low = 5 high + low = 4 high + high + low */
    uint8_t *high = product + 16;
    uint16_t sum = 0;

    a[16] = high[0] & 3;
    high[0] &= 0xfc;
    for (uint8_t i = 0; i < 16; i++) {
        sum = (uint16_t)(sum + product[i] + high[i]);
        sum = (uint16_t)(sum + (uint8_t)(high[i] >> 2 | high[i + 1] << 6));
        a[i] = (uint8_t)sum;
        sum >>= 8;
    }
    a[16] = (uint8_t)(a[16] + sum);
}

void poly1305_blocks(poly1305 *state, const uint8_t *blocks, size_t count, uint8_t top)
{
    uint8_t product[33];

    while (count-- != 0) {
        uint16_t sum = 0;

        for (uint8_t i = 0; i < 16; i++) {
            sum = (uint16_t)(sum + state->a[i] + *blocks++);
            state->a[i] = (uint8_t)sum;
            sum >>= 8;
        }
        state->a[16] = (uint8_t)(state->a[16] + sum + top);
        multiply(product, state);
        reduce(state->a, product);
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
