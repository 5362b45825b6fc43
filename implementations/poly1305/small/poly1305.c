/*
 * Poly1305 with numbers as bytes, optimised for code size.
 *
 * References: RFC 8439 (2018), section 2.5; same names.
 *
 * Products are made from the highest byte of one factor down (Horner's rule), modulo
 * p = 2^130 - 5 but not fully after each: 16 bits hold every sum, and a result takes 17 bytes.
 */
#include "poly1305.h"

#include "inline.h"
#include "keep.h"
#include "multiply.h"

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
    state->a[16] = 0;
}

/* a = 2^8 a + x r, modulo p but not fully. The part of 2^8 a above 2^130 is added five times at
 * weight 1. As r < 2^124, and a < 2^133 before, a < 2^130 + 2^14 + 2^132 < 2^133 afterwards. */
NEVER_INLINE void multiply_step(uint8_t a[17], const uint8_t r[16], uint8_t x)
{
    sum16 sum = (uint16_t)(((unsigned)a[16] << 6 | a[15] >> 2) * 5);
    uint8_t below = 0, i = 16;

    a[15] &= 3;
    do {
        shift_multiply_add(&sum, &below, &a, x, &r);
        KEEP(i);
    } while (--i != 0);
    *a = (uint8_t)(sum + below);
}

void poly1305_blocks(poly1305 *state, const uint8_t *blocks, size_t count, uint8_t top)
{
    while (count-- != 0) {
        uint8_t x[17]; /* a + block */
        uint16_t sum = 0;

        for (uint8_t i = 0; i < 16; i++) {
            sum = (uint16_t)(sum + state->a[i] + *blocks++);
            x[i] = (uint8_t)sum;
            state->a[i] = 0;
            sum >>= 8;
        }
        x[16] = (uint8_t)(state->a[16] + sum + top);
        state->a[16] = 0;
        for (uint8_t i = 17; i-- != 0;) {
            multiply_step(state->a, state->r, x[i]);
        }
    }
}

/* a = 2^130 h + l is l + 5 h < 2p modulo p. The multiple of p to subtract from a is h, or
 * h + 1 if l + 5 h + 5 >= 2^130: (a + 5 h + 5) / 2^130, rounded down. */
void poly1305_finish(const poly1305 *state, uint8_t *s)
{
    uint16_t sum = (uint16_t)(((state->a[16] >> 2) + 1) * 5);

    for (uint8_t i = 0; i < 16; i++) {
        sum = (uint16_t)(sum + state->a[i]) >> 8;
    }
    sum = (uint16_t)(((sum + state->a[16]) >> 2) * 5);
    for (uint8_t i = 0; i < 16; i++) {
        sum = (uint16_t)(sum + s[i] + state->a[i]);
        s[i] = (uint8_t)sum;
        sum >>= 8;
    }
}
