/*
 * The state of an Ascon hash in shares, with the names that the mode uses, for messages that
 * contain a key.
 *
 * References: NIST SP 800-232 (2025), section 5.1 and appendix A; see ../masked.h.
 *
 * The state before the message is public, and its shares are itself and zeros. The word that a
 * block of the message is added to gets new shares before. The digest is combined from shares.
 */
#ifndef PENNYWEIGHT_ASCON_PERMUTATION_H
#define PENNYWEIGHT_ASCON_PERMUTATION_H

#include "direction.h"
#include "masked.h"

#define ascon_state masked_state
#define ascon_permute masked_permute
#define ascon_pad masked_pad
#define ascon_output masked_output

/* The state of words x0 to x4, public constants. */
static inline masked_state masked_state_of(uint64_t x0, uint64_t x1, uint64_t x2, uint64_t x3,
                                           uint64_t x4)
{
    return (masked_state){{masked_public(ascon_lane_of(x0)), masked_public(ascon_lane_of(x1)),
                           masked_public(ascon_lane_of(x2)), masked_public(ascon_lane_of(x3)),
                           masked_public(ascon_lane_of(x4))}};
}

/* S = the state of a hash after initialization. */
static inline void ascon_set_hash_state(masked_state *s)
{
    *s = masked_state_of(ASCON_INITIAL);
}

/* Gives the word `x` new shares and adds `length` bytes of input as its bytes `first` and up. This
 * is a function of another source so that its callers' registers hold no word of the message
 * afterwards, which they would save on the stack. */
void masked_absorb(masked_lane *x, unsigned first, const uint8_t *input, unsigned length);

/* Absorbs `length` bytes of input into the state, whose current block has `taken` bytes so far, and
 * applies the permutation after each full block. Returns the number of bytes in the current
 * block. */
static inline unsigned ascon_duplex(masked_state *s, unsigned taken, uint8_t *none,
                                    const uint8_t *input, size_t length, unsigned direction)
{
    (void)none;
    (void)direction;
    while (length != 0) {
        const unsigned room = ASCON_RATE - taken;
        const unsigned n = length < room ? (unsigned)length : room;

        masked_absorb(&s->x[0], taken, input, n);
        input += n;
        length -= n;
        taken += n;
        if (taken == ASCON_RATE) {
            masked_permute(s, ASCON_ROUNDS_B);
            taken = 0;
        }
    }
    return taken;
}

#endif
