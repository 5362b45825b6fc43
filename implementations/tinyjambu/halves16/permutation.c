/*
 * TinyJAMBU's keyed permutation on halves of words, for 8-bit and 16-bit machines: 32 steps at a
 * time, four times in a row so that nothing in the state moves.
 *
 * References: H. Wu, T. Huang, "TinyJAMBU" (Version 2, 2021), section 3.2.3.
 */
#include "permutation.h"

#include "steps.h"

/* Reads a word from 4 bytes. */
ALWAYS_INLINE void load_word(word *w, const uint8_t *p)
{
    w->low = (uint16_t)(p[0] | (unsigned)p[1] << 8);
    w->high = (uint16_t)(p[2] | (unsigned)p[3] << 8);
}

/* Writes a word as 4 bytes. */
ALWAYS_INLINE void store_word(uint8_t *p, const word *w)
{
    p[0] = (uint8_t)w->low;
    p[1] = (uint8_t)(w->low >> 8);
    p[2] = (uint8_t)w->high;
    p[3] = (uint8_t)(w->high >> 8);
}

void tinyjambu_permute(tinyjambu_state *s, const tinyjambu_key *key, uint8_t steps)
{
    const uint8_t *k = key->complement;
    word s0, s1, s2, s3;

    load_word(&s0, s->bytes);
    load_word(&s1, s->bytes + 4);
    load_word(&s2, s->bytes + 8);
    load_word(&s3, s->bytes + 12);
    add_s47(&s0, &s1, &s2);
    do {
        steps_32(&s0, &s1, &s2, &s3, &k);
        steps_32(&s1, &s2, &s3, &s0, &k);
        steps_32(&s2, &s3, &s0, &s1, &k);
        steps_32(&s3, &s0, &s1, &s2, &k);
        if (TINYJAMBU_KEY_FILLED == 16 || k == key->complement + TINYJAMBU_KEY_FILLED) {
            k -= TINYJAMBU_KEY_FILLED;
        }
    } while (--steps != 0);
    add_s47(&s0, &s1, &s2); /* undoes it */
    store_word(s->bytes, &s0);
    store_word(s->bytes + 4, &s1);
    store_word(s->bytes + 8, &s2);
    store_word(s->bytes + 12, &s3);
}
