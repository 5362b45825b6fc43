/*
 * TweGIFT-128 as ESTATE's tweakable block cipher.
 *
 * References: see cipher.h; "gift128.h" is the representation that the implementation chose.
 */
#include "cipher.h"

#include "nibbles.h"
#include "tweak_code.h"

void estate_set_key(estate_key *key, const uint8_t *bytes)
{
    gift128n_set_key(key, bytes);
}

void estate_encrypt(estate_key *key, uint8_t *block, uint8_t tweak)
{
    gift128_state state;

    gift128n_load(&state, block);
    twegift128_encrypt(&state, key, tweak_code(tweak));
    gift128n_store(block, &state);
}
