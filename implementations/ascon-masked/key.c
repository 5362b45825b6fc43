/*
 * Splits a key of Ascon into shares.
 *
 * References: NIST SP 800-232 (2025), section 4.1; see masked.h.
 *
 * The key is added to shares of zero: no word of it is in a register while the random words are
 * drawn, so that none is saved on the stack.
 */
#include "masked.h"

void masked_set_key(masked_key *key, const uint8_t *bytes)
{
    for (unsigned i = 0; i < 2; i++) {
        masked_split_zero(&key->k[i]);
    }
    for (unsigned i = 0; i < 2; i++) {
        masked_add_bytes(&key->k[i], bytes + 8 * i);
    }
}
