/*
 * Ascon's permutations on bytes, for 8-bit machines. The state is in memory except two words, which
 * stay in registers from the substitution layer to the linear layer. On MSP430, a word is four
 * registers in the linear layer, and the substitution layer processes two bytes at a time.
 *
 * References: NIST SP 800-232 (2025), sections 3.2 to 3.4; Ascon v1.2 (2021), section 2.6.
 */
#include "permutation.h"

#include "native/native.h"

#if !ASCON_NATIVE_PERMUTE

#include "inline.h"
#include "sbox.h"

#if defined(__MSP430__) && defined(__GNUC__) && !defined(__clang__)

#include "rotate64.h"

/* x >>> 16 n + bits for constants n < 4 and -8 <= bits <= 8, in two steps if necessary: single-bit
 * rotations are faster than rotr64's rotation by a byte. */
ALWAYS_INLINE uint64_t turned(uint64_t x, unsigned n, int bits)
{
    const int first = bits > 4 ? 4 : bits < -4 ? -4 : bits;

    x = rotr64(x, (16 * n + (unsigned)first) % 64);
    return bits == first ? x : rotr64(x, (unsigned)(bits - first) % 64);
}

/* x_i ^= x_i >>> 16 a + bits_a ^ x_i >>> 16 b + bits_b for constants. */
ALWAYS_INLINE void diffuse(ascon_state *s, uint8_t i, unsigned a, int bits_a, unsigned b,
                           int bits_b)
{
    const uint64_t x = s->words[i];

    s->words[i] = x ^ turned(x, a, bits_a) ^ turned(x, b, bits_b);
}

void ascon_permute(ascon_state *s, uint8_t constant)
{
    for (; constant != ASCON_END; constant = (uint8_t)(constant - ASCON_STEP)) {
        s->pairs[8] ^= constant;
        for (uint8_t i = 0; i < 4; i++) {
            uint16_t x0 = s->pairs[i], x1 = s->pairs[4 + i], x2 = s->pairs[8 + i];
            uint16_t x3 = s->pairs[12 + i], x4 = s->pairs[16 + i];

            ASCON_SBOX(uint16_t, x0, x1, x2, x3, x4);
            s->pairs[i] = x0;
            s->pairs[4 + i] = x1;
            s->pairs[8 + i] = x2;
            s->pairs[12 + i] = x3;
            s->pairs[16 + i] = x4;
        }
        diffuse(s, 0, 1, 3, 2, -4); /* 19, 28 */
        diffuse(s, 1, 0, -3, 2, 7); /* 61, 39 */
        diffuse(s, 2, 0, 1, 0, 6);  /* 1, 6 */
        diffuse(s, 3, 1, -6, 1, 1); /* 10, 17 */
        diffuse(s, 4, 0, 7, 3, -7); /* 7, 41 */
    }
}

#else

#include "keep.h"
#include "word64.h"

#if defined(__AVR__)
#define ASCON_ASM 1 /* word64.h rotates by single bits */
#endif

/* The substitution layer on byte `i` of each word; the results for the first and the last word go
 * to `x0` and `x4`. */
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

#if defined(ASCON_ASM)

/* Writes y = x ^ x >>> 8 bytes_a + bits_a ^ x >>> 8 bytes_b + bits_b to the 8 bytes at `s`. The
 * amounts are constants; negative bits rotate left. */
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

#else

/* Adds byte `i` of x, shifted down by `bytes` and left by the power of two `factor`, to y: the
 * upper byte of the product goes to the next byte. */
ALWAYS_INLINE void add_product(word *y, word *x, uint8_t i, uint8_t bytes, uint8_t factor)
{
    const uint_fast16_t product = (uint_fast16_t)((unsigned)x->b[i] * factor);
    uint8_t *low = &y->b[(i - bytes) & 7], *high = &y->b[(i - bytes + 1) & 7];

    *low = (uint8_t)(*low ^ product);
    *high = (uint8_t)(*high ^ product >> 8);
    KEEP(*low);
    KEEP(*high);
    KEEP(x->b[i]);
}

/* y ^= x >>> 8 bytes + bits for constants. A byte times a power of two gives both bytes of its
 * shifted value: with a byte multiplier, this is faster than single-bit shifts. A shift right is
 * one byte right and the rest left. */
ALWAYS_INLINE void add_turned(word *y, word *x, uint8_t bytes, int8_t bits)
{
    const uint8_t factor = (uint8_t)(1 << (bits > 0 ? 8 - bits : -bits));
    const uint8_t down = (uint8_t)(bits > 0 ? bytes + 1 : bytes);

    add_product(y, x, 0, down, factor);
    add_product(y, x, 1, down, factor);
    add_product(y, x, 2, down, factor);
    add_product(y, x, 3, down, factor);
    add_product(y, x, 4, down, factor);
    add_product(y, x, 5, down, factor);
    add_product(y, x, 6, down, factor);
    add_product(y, x, 7, down, factor);
}

/* Writes y = x ^ x >>> 8 bytes_a + bits_a ^ x >>> 8 bytes_b + bits_b to the 8 bytes at `s`. The
 * amounts are constants; negative bits rotate left. */
ALWAYS_INLINE void diffuse(uint8_t *s, word x, uint8_t bytes_a, int8_t bits_a, uint8_t bytes_b,
                           int8_t bits_b)
{
    word y = x;

    add_turned(&y, &x, bytes_a, bits_a);
    add_turned(&y, &x, bytes_b, bits_b);
    store_word(s, &y);
    IN_ORDER();
}

#endif

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

#endif

#endif
