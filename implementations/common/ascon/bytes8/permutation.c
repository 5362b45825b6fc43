/*
 * Ascon's permutations on bytes, for 8-bit machines.
 *
 * References: NIST SP 800-232 (2025), sections 3.2 to 3.4; Ascon v1.2 (2021), section 2.6.
 */
#include "permutation.h"

#include "sbox.h"
#include "word.h"

/* The substitution layer on byte `i` of each word. */
ALWAYS_INLINE void substitute(uint8_t *s, uint8_t i)
{
    uint8_t x0 = s[i], x1 = s[8 + i], x2 = s[16 + i], x3 = s[24 + i], x4 = s[32 + i];

    ASCON_SBOX(uint8_t, x0, x1, x2, x3, x4);
    s[i] = x0;
    s[8 + i] = x1;
    s[16 + i] = x2;
    s[24 + i] = x3;
    s[32 + i] = x4;
}

/* The linear layer's x ^= x >>> a ^ x >>> b on the word at `p`. The amounts are given as
 * a = 8 bytes_a + bits_a and b - a = ..., where negative bits turn to the left. */
ALWAYS_INLINE void diffuse(uint8_t *p, int8_t bits_a, uint8_t bytes_a, int8_t bits_b, uint8_t bytes_b)
{
    word x, y;

    load_word(&x, p);
    y = x;
    rotate(&x, bits_a);
    add_rotated(&y, &x, bytes_a);
    rotate(&x, (int8_t)(bits_b - bits_a));
    add_rotated(&y, &x, bytes_b);
    store_word(p, &y);
}

void ascon_permute(ascon_state *s, uint8_t constant)
{
    uint8_t *x = s->bytes;

    for (; constant != ASCON_END; constant = (uint8_t)(constant - ASCON_STEP)) {
        x[16] ^= constant;
        substitute(x, 0);
        substitute(x, 1);
        substitute(x, 2);
        substitute(x, 3);
        substitute(x, 4);
        substitute(x, 5);
        substitute(x, 6);
        substitute(x, 7);
        diffuse(x, 3, 2, 4, 3);        /* 19, 28 */
        diffuse(x + 8, -1, 5, -3, 8);  /* 39, 61 */
        diffuse(x + 16, 1, 0, -2, 1);  /* 1, 6 */
        diffuse(x + 24, 1, 2, 2, 1);   /* 17, 10 */
        diffuse(x + 32, -1, 1, 1, 5);  /* 7, 41 */
    }
}
