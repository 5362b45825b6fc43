/*
 * SHA-256's compression for 8-bit machines: one round in a loop over a window.
 *
 * References: FIPS 180-4 (2015), section 6.2.2; same names.
 *
 * The working variables a to h are eight words, which move down by one after each round, above the
 * new a: b is where a was, and so on. Separate functions access them through pointers: on AVR a
 * stack frame of more than 64 bytes cannot be reached with displacements.
 */
#include "bytes.h"
#include "flash.h"
#include "in_order.h"
#include "inline.h"
#include "keep.h"
#include "sha256.h"
#include "sha256_functions.h"

#if SHA256_WINDOW

/* Rounds after which the working variables move back. */
#define TURN 16

/* The word n mod 64 bytes after w[0], for a multiple of 4. */
ALWAYS_INLINE uint32_t word_at(const uint32_t *w, uint8_t n)
{
    return *(const uint32_t *)(const void *)((const uint8_t *)w + (n & 63));
}

/* The next 16 words of the message schedule in place of the last: W_t is element t % 16 of w. */
NEVER_INLINE void expand(uint32_t *w)
{
    uint32_t *p = w;

    for (uint8_t t = 0; t < 64; t = (uint8_t)(t + 4)) {
        uint32_t sum = *p + small_sigma1(word_at(w, (uint8_t)(t + 56)));

        sum += small_sigma0(word_at(w, (uint8_t)(t + 4)));
        *p++ = sum + word_at(w, (uint8_t)(t + 36));
    }
}

/* TURN rounds with the constants from `k` on and the words at `w`. `v` is where a is; the new a
 * is then below it. */
NEVER_INLINE void rounds(uint32_t *v, const uint32_t *k, const uint32_t *w)
{
    for (uint8_t i = 0; i < TURN; i++) {
        uint32_t x, t1;

        KEEP_POINTER(v);
        t1 = v[7];
        t1 += flash_u32(k++);
        t1 += *w++;
        IN_ORDER();
        x = v[4];
        t1 += ch(x, v[5], v[6]);
        KEEP(t1);
        t1 += big_sigma1(x);
        v[3] += t1;
        IN_ORDER();
        x = v[0];
        t1 += maj(x, v[1], v[2]);
        KEEP(t1);
        t1 += big_sigma0(x);
        *--v = t1;
        KEEP(i);
        IN_ORDER();
    }
}

/* The first 16 words of the message schedule: those of the block. */
NEVER_INLINE void load_words(uint32_t *w, const uint8_t *block)
{
    for (uint8_t i = 0; i < 16; i++) {
        KEEP(i);
        *w++ = load32_be(block);
        block += 4;
    }
}

/* Copies eight words to `to`; they must not overlap. */
NEVER_INLINE void copy_words(uint32_t *to, const uint32_t *from)
{
    for (uint8_t i = 0; i < 8; i++) {
        KEEP(i);
        *to++ = *from++;
        NO_LIBRARY_CALL();
    }
}

/* Adds eight words to those at `to`. */
NEVER_INLINE void add_words(uint32_t *to, const uint32_t *from)
{
    for (uint8_t i = 0; i < 8; i++) {
        KEEP(i);
        *to++ += *from++;
    }
}

void sha256_compress(uint32_t h[8], const uint8_t *blocks, size_t count)
{
    for (; count != 0; count--) {
        const uint32_t *k = sha256_k;
        uint32_t w[16], v[TURN + 8];
        uint32_t *const a = v + TURN;

        load_words(w, blocks);
        blocks += 64;
        copy_words(a, h);
        for (uint8_t t = 0; t < 64; t = (uint8_t)(t + TURN)) {
            if (t != 0) {
                copy_words(a, v);
                expand(w);
            }
            rounds(a, k, w);
            k += TURN;
        }
        add_words(h, v);
    }
}

#endif
