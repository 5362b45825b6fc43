/*
 * SUBWORD of AES's key schedule on shares, in bit planes of four bits, which are bytes here.
 *
 * References: FIPS 197 (2001, updated 2023), section 5.2 (KeyExpansion). ../masked/word32.h for the
 * product and its references.
 *
 * The S-box has 32 products of four bits each, so that one random word for each pair of shares is
 * enough for eight of them.
 */
#include "aes_masked.h"

#include "api.h"
#include "inline.h"
#include "keep.h"

/* Four bits. */
typedef uint_fast8_t bits;

/* A plane in shares: bit k is that of byte k. */
typedef struct {
    bits share[MASKED_SHARES];
} aes_plane;

#define PLANE_BITS 4
#define PLANES_IN_WORD (32 / PLANE_BITS)

/* The planes of a word. The random words in use have fresh bits for so many products, the lowest
 * for the next one. */
typedef struct {
    aes_plane plane[8];
    masked_random random;
    uint8_t fresh;
} substituted;

/* x + y */
static inline aes_plane sum(aes_plane x, const aes_plane y)
{
    UNROLL
    for (unsigned i = 0; i < MASKED_SHARES; i++) {
        x.share[i] ^= y.share[i];
    }
    return x;
}

/* 32 copies of a product are the faster code with two shares; with three, they would not fit in 16
 * KB of flash. */
#if MASKED_SHARES == 2
#define PRODUCT ALWAYS_INLINE
#else
#define PRODUCT NEVER_INLINE
#endif

/* x * y */
PRODUCT aes_plane product(const aes_plane x, const aes_plane y, substituted *of)
{
    aes_plane z;
    unsigned pair = 0;

    if (of->fresh == 0) {
        of->random = masked_draw();
        of->fresh = PLANES_IN_WORD;
    }
    of->fresh--;
    UNROLL
    for (unsigned i = 0; i < MASKED_SHARES; i++) {
        z.share[i] = x.share[i] & y.share[i];
    }
    UNROLL
    for (unsigned i = 0; i < MASKED_SHARES; i++) {
        UNROLL
        for (unsigned j = i + 1; j < MASKED_SHARES; j++) {
            const bits random = (bits)(of->random.word[pair] & ((1 << PLANE_BITS) - 1));
            bits one = (x.share[i] & y.share[j]) ^ random;
            bits other = (x.share[j] & y.share[i]) ^ random;

            KEEP(one);
            KEEP(other);
            z.share[i] ^= one;
            z.share[j] ^= other;
            of->random.word[pair] >>= PLANE_BITS;
            pair++;
        }
    }
    return z;
}

/* The circuit's parameter `q` is the first member of `substituted`. */
#define AES_XOR(x, y) sum(x, y)
#define AES_AND(x, y) product(x, y, (substituted *)q)
#include "sbox_circuit.h"

void masked_sub_word(masked_word *word)
{
    substituted x;

    x.fresh = 0;
    for (unsigned j = 0; j < MASKED_SHARES; j++) {
        for (unsigned i = 0; i < 8; i++) {
            const uint32_t plane = word->share[j] >> i & 0x01010101;

            x.plane[i].share[j] = (bits)(plane * 0x01020408 >> 24 & 0xf);
        }
    }
    sub_bytes_without_63(x.plane);
    for (unsigned j = 0; j < MASKED_SHARES; j++) {
        uint32_t sum = j == 0 ? 0x63636363 : 0;

        for (unsigned i = 0; i < 8; i++) {
            const uint32_t plane = x.plane[i].share[j];

            sum ^= (plane * 0x00204081 & 0x01010101) << i;
        }
        word->share[j] = sum;
    }
}
