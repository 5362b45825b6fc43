/*
 * Xoodoo[12] on shares, and the first state.
 *
 * References: J. Daemen et al., "Xoodyak, a lightweight cryptographic scheme" (v2, 2021), the
 * permutation Xoodoo, with the same names; ../masked/word32.h for the product.
 *
 * Theta and rho apply to each share alone, the round constant and complements to the first one
 * only. Chi has three products for each column.
 */
#include "masked.h"

#include "bytes.h"
#include "constants.h"
#include "inline.h"
#include "rotate.h"
#include "unroll.h"

void masked_set_state(masked_state *s, const uint8_t *key, const uint8_t *nonce)
{
    for (unsigned i = 0; i < 4; i++) {
        s->lane[i] = masked_word_split(load32_le(key + 4 * i));
        s->lane[4 + i] = masked_word_public(load32_le(nonce + 4 * i));
        s->lane[8 + i] = masked_word_public(0);
    }
}

#if !MASKED_NATIVE_PERMUTE

static const uint16_t constants[XOODOO_ROUNDS] = {XOODOO_CONSTANTS};

/* Lane x + 2 of plane 2, which is in place of lane x between the rounds. */
#define SHIFTED(x) (8 + (((x) + 2) & 3))

/* Theta and rho-west, for one share, after the shift of plane 2's lanes of the previous round. */
static void theta(masked_state *s, unsigned share)
{
    uint32_t a[4], b[4], c[4], e[4];

    UNROLL
    for (unsigned x = 0; x < 4; x++) {
        a[x] = s->lane[x].share[share];
        b[x] = s->lane[4 + x].share[share];
        c[x] = s->lane[SHIFTED(x)].share[share];

        const uint32_t p = a[x] ^ b[x] ^ c[x];

        e[(x + 1) & 3] = rotr32(p, 27) ^ rotr32(p, 18);
    }
    UNROLL
    for (unsigned x = 0; x < 4; x++) {
        s->lane[x].share[share] = a[x] ^ e[x];
        s->lane[4 + ((x + 1) & 3)].share[share] = b[x] ^ e[x];
        s->lane[8 + x].share[share] = rotr32(c[x] ^ e[x], 21);
    }
}

/* z += ~y * x */
ALWAYS_INLINE void add_product(masked_word *z, const masked_word *y, const masked_word *x,
                               masked_random random)
{
    masked_word complement = *y;

    masked_word_complement(&complement);
    masked_word_add_product(z, &complement, x, random);
}

/* Chi for a column, and the rotations of rho-east. Each product follows its random words, for a
 * generator that needs time for the next ones. */
static void chi(masked_state *s, unsigned x)
{
    masked_random random = masked_draw();
    const masked_word a0 = s->lane[x], a1 = s->lane[4 + x], a2 = s->lane[8 + x];
    masked_word b1 = a1, b2 = a2;

    add_product(&s->lane[x], &a1, &a2, random);
    random = masked_draw();
    add_product(&b1, &a2, &a0, random);
    UNROLL
    for (unsigned i = 0; i < MASKED_SHARES; i++) {
        s->lane[4 + x].share[i] = rotr32(b1.share[i], 31);
    }
    random = masked_draw();
    add_product(&b2, &a0, &a1, random);
    UNROLL
    for (unsigned i = 0; i < MASKED_SHARES; i++) {
        s->lane[8 + x].share[i] = rotr32(b2.share[i], 24);
    }
}

/* Swaps lanes 0 and 2, and 1 and 3, of plane 2. */
static void swap(masked_state *s)
{
    for (unsigned x = 0; x < 2; x++) {
        const masked_word lane = s->lane[8 + x];

        s->lane[8 + x] = s->lane[SHIFTED(x)];
        s->lane[SHIFTED(x)] = lane;
    }
}

void masked_permute(masked_state *s)
{
    swap(s);
    for (unsigned round = 0; round < XOODOO_ROUNDS; round++) {
        for (unsigned share = 0; share < MASKED_SHARES; share++) {
            theta(s, share);
        }
        s->lane[0].share[0] ^= constants[round];
        for (unsigned x = 0; x < 4; x++) {
            chi(s, x);
        }
    }
    swap(s);
}

#endif
