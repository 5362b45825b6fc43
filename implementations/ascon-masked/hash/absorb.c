/*
 * Adds the message of an Ascon hash to the shares of the state.
 *
 * References: NIST SP 800-232 (2025), section 5.1; see ../masked.h.
 *
 * The state's word gets new random words before the message is added to its first share: no word of
 * the message is in a register while the random words are drawn, so that none is saved on the
 * stack. The copy of the message's bytes is erased, because later calls use the same stack.
 */
#include "permutation.h"
#include "secret.h"

void masked_absorb(masked_lane *x, unsigned first, const uint8_t *input, unsigned length)
{
    const masked_lane zero = masked_split((ascon_lane){0, 0});
    uint8_t block[8];

    UNROLL
    for (unsigned i = 0; i < MASKED_SHARES; i++) {
        x->share[i] = ascon_lane_xor(x->share[i], zero.share[i]);
    }
    zero_bytes(block, sizeof block);
    copy_bytes(block + first, input, length);
    masked_add_bytes(x, block);
    wipe(block, sizeof block);
}
