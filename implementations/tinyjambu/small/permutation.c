/*
 * TinyJAMBU's keyed permutation, optimised for code size.
 *
 * References: H. Wu, T. Huang, "TinyJAMBU" (Version 2, 2021), section 3.2.3.
 */
#include "permutation.h"

#include <limits.h>

#include "order.h"

#if UINT_MAX > 0xffff

/* 32 steps at a time: bit i + j of a word is bit i of step j. */
void tinyjambu_permute(tinyjambu_state *s, const tinyjambu_key *key, uint8_t steps)
{
    const uint32_t *k = key->words;
    uint32_t s0 = little_endian32(s->words[0]);
    uint32_t s1 = little_endian32(s->words[1]);
    uint32_t s2 = little_endian32(s->words[2]);
    uint32_t s3 = little_endian32(s->words[3]);

    for (unsigned n = 4u * steps; n != 0; n--) {
        const uint32_t s70 = s2 >> 6 ^ s3 << 26;
        const uint32_t s85 = s2 >> 21 ^ s3 << 11;
        uint32_t feedback = ~(s70 & s85) ^ s0;

        feedback ^= s1 >> 15 ^ s2 << 17; /* s47 */
        feedback ^= s2 >> 27 ^ s3 << 5;  /* s91 */
        s0 = s1;
        s1 = s2;
        s2 = s3;
        s3 = feedback ^ little_endian32(*k++);
        if (k == key->words + TINYJAMBU_KEY_BYTES / 4) {
            k = key->words;
        }
    }
    s->words[0] = little_endian32(s0);
    s->words[1] = little_endian32(s1);
    s->words[2] = little_endian32(s2);
    s->words[3] = little_endian32(s3);
}

#else

/* 8 steps at a time; 128 steps write the next state after this one. */
void tinyjambu_permute(tinyjambu_state *s, const tinyjambu_key *key, uint8_t steps)
{
    const uint8_t *k = key->bytes;
    uint8_t sequence[32];

    do {
        uint8_t *x = sequence;

        for (uint8_t i = 0; i < 16; i++) {
            x[i] = s->bytes[i];
        }
        for (uint8_t i = 0; i < 16; i++) {
            const uint8_t s47 = (uint8_t)(x[5] >> 7 | x[6] << 1);
            const uint8_t s70 = (uint8_t)(x[8] >> 6 | x[9] << 2);
            const uint8_t s85 = (uint8_t)(x[10] >> 5 | x[11] << 3);
            const uint8_t s91 = (uint8_t)(x[11] >> 3 | x[12] << 5);

            x[16] = (uint8_t)(x[0] ^ s47 ^ ~(s70 & s85) ^ s91 ^ *k++);
            s->bytes[i] = x[16];
            x++;
            if (k == key->bytes + TINYJAMBU_KEY_BYTES) {
                k = key->bytes;
            }
        }
    } while (--steps != 0);
}

#endif
