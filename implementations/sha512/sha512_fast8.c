/*
 * SHA-512's compression in bytes, for 8-bit machines: one round in a loop, at most three words in
 * registers.
 *
 * References: FIPS 180-4 (2015), section 6.4.2; same names.
 *
 * The working variables a to h are 64 bytes, which move down by a word after each round, above the
 * new a: b is where a was, and so on. Words are bytes, the least significant first.
 */
#include "bytes.h"
#include "inline.h"
#include "sha512.h"
#include "word64.h"

#if SHA512_BYTES

/* Rounds after which the working variables move back. */
#define TURN 16

#if defined(__AVR__) && defined(__OPTIMIZE__)

/* Operands for a function of `x` and of the words at p + n and p + n + 8. */
#define SUM_OF_THREE(x, p, n)                                                                      \
    "r"((x)->b[0]), "r"((x)->b[1]), "r"((x)->b[2]), "r"((x)->b[3]), "r"((x)->b[4]),                \
        "r"((x)->b[5]), "r"((x)->b[6]), "r"((x)->b[7]), "b"(p), "I"(n)

/* A byte of Ch, added to %i with `add`, where %j is that of x. */
#define CH_BYTE(add, byte, i, j)                                                                   \
    "ldd __tmp_reg__, %a17+%18+8+" #byte "\n\tldd %8, %a17+%18+" #byte "\n\t"                      \
    "eor %8, __tmp_reg__\n\tand %8, %" #j "\n\teor %8, __tmp_reg__\n\t" add " %" #i ", %8\n\t"

/* The same for Maj. */
#define MAJ_BYTE(add, byte, i, j)                                                                  \
    "ldd __tmp_reg__, %a18+%19+8+" #byte "\n\tldd %8, %a18+%19+" #byte "\n\tmov %9, %8\n\t"        \
    "and %9, __tmp_reg__\n\tor %8, __tmp_reg__\n\tand %8, %" #j "\n\tor %8, %9\n\t" add " %" #i    \
    ", %8\n\t"

#endif

/* t += Ch(x, y, z), with y and z at p + n, for a constant n <= 48. On AVR the logical instructions
 * preserve the carry. */
ALWAYS_INLINE void sum_ch(word *t, const word *x, const uint8_t *p, uint8_t n)
{
#if defined(__AVR__) && !defined(__clang__) && defined(__OPTIMIZE__)
    uint8_t byte;

    __asm__(CH_BYTE("add", 0, 0, 9) CH_BYTE("adc", 1, 1, 10) CH_BYTE("adc", 2, 2, 11)
                CH_BYTE("adc", 3, 3, 12) CH_BYTE("adc", 4, 4, 13) CH_BYTE("adc", 5, 5, 14)
                    CH_BYTE("adc", 6, 6, 15) CH_BYTE("adc", 7, 7, 16)
            : ALL_BYTES_EARLY(t), "=&r"(byte)
            : SUM_OF_THREE(x, p, n)
            : "memory");
#else
    uint8_t sum[8];

    p += n;
    for (uint8_t i = 0; i < 8; i++) {
        sum[i] = (uint8_t)(((p[i] ^ p[8 + i]) & x->b[i]) ^ p[8 + i]);
    }
    sum_bytes(t, sum, 0);
#endif
}

/* t += Maj(x, y, z), in the same way. */
ALWAYS_INLINE void sum_maj(word *t, const word *x, const uint8_t *p, uint8_t n)
{
#if defined(__AVR__) && !defined(__clang__) && defined(__OPTIMIZE__)
    uint8_t byte, both;

    __asm__(MAJ_BYTE("add", 0, 0, 10) MAJ_BYTE("adc", 1, 1, 11) MAJ_BYTE("adc", 2, 2, 12)
                MAJ_BYTE("adc", 3, 3, 13) MAJ_BYTE("adc", 4, 4, 14) MAJ_BYTE("adc", 5, 5, 15)
                    MAJ_BYTE("adc", 6, 6, 16) MAJ_BYTE("adc", 7, 7, 17)
            : ALL_BYTES_EARLY(t), "=&r"(byte), "=&r"(both)
            : SUM_OF_THREE(x, p, n)
            : "memory");
#else
    uint8_t sum[8];

    p += n;
    for (uint8_t i = 0; i < 8; i++) {
        sum[i] = (uint8_t)(((p[i] | p[8 + i]) & x->b[i]) | (p[i] & p[8 + i]));
    }
    sum_bytes(t, sum, 0);
#endif
}

/* t += Sigma_0^{512}(x): rotations by 24 + 4, 32 + 2, 40 - 1. */
ALWAYS_INLINE void sum_big_sigma0(word *t, word x)
{
    word sum = rotated_bytes(&x, 3);

    rotate(&sum, 2);
    add_rotated(&sum, &x, 4);
    rotate(&sum, 2);
    rotate(&x, -1);
    add_rotated(&sum, &x, 5);
    sum_word(t, &sum);
}

/* t += Sigma_1^{512}(x): rotations by 16 - 2, 16 + 2, 40 + 1. */
ALWAYS_INLINE void sum_big_sigma1(word *t, word x)
{
    word sum = rotated_bytes(&x, 2);

    rotate(&sum, 1);
    add_rotated(&sum, &x, 5);
    rotate(&sum, 1);
    rotate(&x, -2);
    add_rotated(&sum, &x, 2);
    sum_word(t, &sum);
}

/* t += sigma_0^{512}(x): rotations by 1, 8, and 8 - 1, the last one a shift. */
ALWAYS_INLINE void sum_small_sigma0(word *t, word x)
{
    word sum = x;

    rotate(&sum, 1);
    add_rotated(&sum, &x, 1);
    rotate(&x, -1);
    x.b[0] &= 1;
    add_rotated(&sum, &x, 1);
    sum_word(t, &sum);
}

/* t += sigma_1^{512}(x): rotations by 16 + 3, 64 - 3, and 8 - 2, the last one a shift. */
ALWAYS_INLINE void sum_small_sigma1(word *t, word x)
{
    word sum = rotated_bytes(&x, 2);
    uint8_t low;

    rotate(&sum, 3);
    rotate(&x, -2);
    low = x.b[0];
    x.b[0] &= 3;
    add_rotated(&sum, &x, 1);
    x.b[0] = low;
    rotate(&x, -1);
    add_rotated(&sum, &x, 0);
    sum_word(t, &sum);
}

/* The next 16 words of the message schedule in place of the last: W_t is the word t % 16 at `w`. */
NEVER_INLINE void expand(uint8_t *w)
{
    for (uint8_t t = 0; t < 128; t = (uint8_t)(t + 8)) {
        word sum = load_word_at(w + t, 0);

        sum_bytes(&sum, w + ((t + 72) & 127), 0);
        sum_small_sigma1(&sum, load_word_at(w + ((t + 112) & 127), 0));
        sum_small_sigma0(&sum, load_word_at(w + ((t + 8) & 127), 0));
        store_word_at(w + t, 0, &sum);
    }
}

/* TURN rounds with the constants from `k` on and the words at `w`. `v` is where a is; the new a
 * is then below it. */
NEVER_INLINE void rounds(uint8_t *v, const uint64_t *k, const uint8_t *w)
{
    for (uint8_t i = 0; i < TURN; i++) {
        word t1 = load_word_at(v, 56), x;

        sum_bytes(&t1, w, 0);
        w += 8;
        sum_flash(&t1, &k);
        x = load_word_at(v, 32);
        sum_ch(&t1, &x, v, 40);
        sum_big_sigma1(&t1, x);
        x = load_word_at(v, 24);
        sum_word(&x, &t1);
        store_word_at(v, 24, &x);
        x = load_word_at(v, 0);
        sum_maj(&t1, &x, v, 8);
        sum_big_sigma0(&t1, x);
        v -= 8;
        store_word_at(v, 0, &t1);
    }
}

void sha512_compress(uint64_t h[8], const uint8_t *block)
{
    const uint64_t *k = sha512_k;
    uint8_t w[128], v[8 * TURN + 64];
    uint8_t *const a = v + 8 * TURN;

    for (uint8_t i = 0; i < 128; i++) {
        w[i ^ 7] = block[i];
    }
    for (uint8_t i = 0; i < 8; i++) {
        store64_le(a + 8 * i, h[i]);
    }
    for (uint8_t turn = 0; turn < 80 / TURN; turn++) {
        if (turn != 0) {
            expand(w);
            copy_bytes(a, v, 64);
        }
        rounds(a, k, w);
        k += TURN;
    }
    for (uint8_t i = 0; i < 8; i++) {
        h[i] = add64(h[i], load64_le(v + 8 * i));
    }
}

#endif
