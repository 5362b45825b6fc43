/*
 * Ascon's permutations on bytes, for 8-bit machines. The state is in memory but for two words,
 * which stay in registers from the substitution layer to the linear layer.
 *
 * References: NIST SP 800-232 (2025), sections 3.2 to 3.4; Ascon v1.2 (2021), section 2.6.
 */
#include "permutation.h"

#include "sbox.h"
#include "word64.h"

/* The substitution layer on byte `i` of each word; those of the first and the last word go to `x0`
 * and `x4`. */
ALWAYS_INLINE void substitute(word *x0, uint8_t *s, word *x4, uint8_t i)
{
    uint8_t b0 = s[i], b1 = s[8 + i], b2 = s[16 + i], b3 = s[24 + i], b4 = s[32 + i];

    ASCON_SBOX(uint8_t, b0, b1, b2, b3, b4);
    x0->b[i] = b0;
    s[8 + i] = b1;
    s[16 + i] = b2;
    s[24 + i] = b3;
    x4->b[i] = b4;
    IN_ORDER();
}

/* Writes y = x ^ x >>> 8 bytes_a + bits_a ^ x >>> 8 bytes_b + bits_b to the 8 bytes at `s`. The
 * amounts are constants; negative bits are to the left. */
ALWAYS_INLINE void diffuse(uint8_t *s, word x, uint8_t bytes_a, int8_t bits_a, uint8_t bytes_b,
                           int8_t bits_b)
{
    word y = x;

    rotate(&x, bits_a);
    add_rotated(&y, &x, bytes_a);
    rotate(&x, (int8_t)(bits_b - bits_a));
    add_rotated(&y, &x, bytes_b);
    store_word(s, &y);
    IN_ORDER();
}

void ascon_permute(ascon_state *state, uint8_t constant)
{
    uint8_t *s = state->bytes;

    for (; constant != ASCON_END; constant = (uint8_t)(constant - ASCON_STEP)) {
        word x0, x4;

        s[16] ^= constant;
        substitute(&x0, s, &x4, 0);
        substitute(&x0, s, &x4, 1);
        substitute(&x0, s, &x4, 2);
        substitute(&x0, s, &x4, 3);
        substitute(&x0, s, &x4, 4);
        substitute(&x0, s, &x4, 5);
        substitute(&x0, s, &x4, 6);
        substitute(&x0, s, &x4, 7);
        diffuse(s, x0, 2, 3, 3, 4);                      /* 19, 28 */
        diffuse(s + 32, x4, 1, -1, 5, 1);                /* 7, 41 */
        diffuse(s + 8, load_word(s + 8), 5, -1, 8, -3);  /* 39, 61 */
        diffuse(s + 16, load_word(s + 16), 0, 1, 1, -2); /* 1, 6 */
        diffuse(s + 24, load_word(s + 24), 2, 1, 1, 2);  /* 17, 10 */
    }
}
