/*
 * GIFT-128's key schedule on shares.
 *
 * References: S. Banik et al., "GIFT-COFB v1.1" (2021), chapter 2; ../masked/word32.h for the
 * shares.
 *
 * The schedule only moves bits, so it applies to each share alone. It complements round keys: with
 * an even number of shares their sum would not be, and the first share is complemented before.
 */
#include "masked.h"

void masked_set_key(masked_key *key, const uint8_t *bytes)
{
    uint8_t share[MASKED_SHARES][16];

    for (unsigned i = 0; i < 4; i++) {
        masked_word word = masked_word_split(load32_be(bytes + 4 * i));

        if (MASKED_SHARES % 2 == 0) {
            masked_word_complement(&word);
        }
        for (unsigned j = 0; j < MASKED_SHARES; j++) {
            store32_be(share[j] + 4 * i, word.share[j]);
        }
    }
    for (unsigned j = 0; j < MASKED_SHARES; j++) {
        gift128_set_key(&key->share[j], share[j]);
    }
}
