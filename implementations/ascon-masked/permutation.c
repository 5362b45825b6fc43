/*
 * Ascon's permutations on shares.
 *
 * References: NIST SP 800-232 (2025), sections 3.2 to 3.4; Ascon v1.2 (2021), section 2.6.
 * H. Gross, S. Mangard, T. Korak, "Domain-Oriented Masking: Compact Masked Hardware Implementations
 * with Arbitrary Protection Order", TIS 2016 (ePrint 2016/486): the order in which a product's
 * parts are added. Y. Ishai, A. Sahai, D. Wagner, CRYPTO 2003: the product.
 *
 * The linear layers apply to each share alone, and a constant or a complement to the first one
 * only. The substitution layer processes the even bits of all words first, then the odd bits.
 */
#include "masked.h"

#include "constants.h"
#include "keep.h"
#include "rotate.h"
#include "unroll.h"

#if !MASKED_NATIVE_PERMUTE

/* Half of the bits of a word, in shares. */
typedef struct {
    uint32_t share[MASKED_SHARES];
} half;

/* z += ~y * x, with a fresh random word for each pair of shares, added first to any product of
 * different shares. */
static inline void add_product(half *z, const half *y, const half *x)
{
    uint32_t complement[MASKED_SHARES];

    UNROLL
    for (unsigned i = 0; i < MASKED_SHARES; i++) {
        complement[i] = i == 0 ? ~y->share[i] : y->share[i];
        z->share[i] ^= complement[i] & x->share[i];
    }
    UNROLL
    for (unsigned i = 0; i < MASKED_SHARES; i++) {
        UNROLL
        for (unsigned j = i + 1; j < MASKED_SHARES; j++) {
            const uint32_t random = pw_random32();
            uint32_t one = (complement[i] & x->share[j]) ^ random;
            uint32_t other = (complement[j] & x->share[i]) ^ random;

            KEEP(one);
            KEEP(other);
            z->share[i] ^= one;
            z->share[j] ^= other;
        }
    }
}

/* x += y */
static inline void add(half *x, const half *y)
{
    UNROLL
    for (unsigned i = 0; i < MASKED_SHARES; i++) {
        x->share[i] ^= y->share[i];
    }
}

/* The substitution layer on half of the bits. */
static void substitute(half x[5])
{
    add(&x[0], &x[4]);
    add(&x[4], &x[3]);
    add(&x[2], &x[1]);

    const half x0 = x[0], x1 = x[1];
    add_product(&x[0], &x[1], &x[2]);
    add_product(&x[1], &x[2], &x[3]);
    add_product(&x[2], &x[3], &x[4]);
    add_product(&x[3], &x[4], &x0);
    add_product(&x[4], &x0, &x1);

    add(&x[1], &x[0]);
    add(&x[0], &x[4]);
    add(&x[3], &x[2]);
    x[2].share[0] = ~x[2].share[0];
}

/* x >>> n */
static inline uint32_t rotated(uint32_t x, unsigned n)
{
    return n == 0 ? x : rotr32(x, n);
}

/* The even bits of a word rotated right by `n`, and the odd ones. */
#define EVEN(even, odd, n) ((n) % 2 == 0 ? rotated(even, (n) / 2) : rotated(odd, (n) / 2))
#define ODD(even, odd, n) ((n) % 2 == 0 ? rotated(odd, (n) / 2) : rotated(even, ((n) / 2 + 1) % 32))

/* x[i] += x[i] >>> a + x[i] >>> b, for one share. */
#define SIGMA(i, a, b)                                                                             \
    do {                                                                                           \
        const uint32_t e = even[i].share[j], o = odd[i].share[j];                                  \
                                                                                                   \
        even[i].share[j] = e ^ EVEN(e, o, a) ^ EVEN(e, o, b);                                      \
        odd[i].share[j] = o ^ ODD(e, o, a) ^ ODD(e, o, b);                                         \
    } while (0)

/* Even and odd bits of the constants of twelve rounds. */
static const uint8_t constants[12][2] = {
    {0xc, 0xc}, {0x9, 0xc}, {0xc, 0x9}, {0x9, 0x9}, {0x6, 0xc}, {0x3, 0xc},
    {0x6, 0x9}, {0x3, 0x9}, {0xc, 0x6}, {0x9, 0x6}, {0xc, 0x3}, {0x9, 0x3},
};

void masked_permute(masked_state *s, unsigned constant)
{
    half even[5], odd[5];

    UNROLL
    for (unsigned i = 0; i < 5; i++) {
        UNROLL
        for (unsigned j = 0; j < MASKED_SHARES; j++) {
            even[i].share[j] = s->x[i].share[j].even;
            odd[i].share[j] = s->x[i].share[j].odd;
        }
    }
    for (unsigned round = (ASCON_12_ROUNDS - constant) / ASCON_STEP; round < 12; round++) {
        even[2].share[0] ^= constants[round][0];
        odd[2].share[0] ^= constants[round][1];
        substitute(even);
        substitute(odd);
        UNROLL
        for (unsigned j = 0; j < MASKED_SHARES; j++) {
            SIGMA(0, 19, 28);
            SIGMA(1, 61, 39);
            SIGMA(2, 1, 6);
            SIGMA(3, 10, 17);
            SIGMA(4, 7, 41);
        }
    }
    UNROLL
    for (unsigned i = 0; i < 5; i++) {
        UNROLL
        for (unsigned j = 0; j < MASKED_SHARES; j++) {
            s->x[i].share[j] = (ascon_lane){even[i].share[j], odd[i].share[j]};
        }
    }
}

#endif
