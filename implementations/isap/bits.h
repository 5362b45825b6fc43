/*
 * ISAP's key absorption with one function call per bit.
 *
 * References: "ISAP v2.0" (2021), section 2 (see aead_state.h).
 *
 * The representation defines isap_add_bit, which adds the upper bit of a byte to the first bit of
 * the state.
 */
#ifndef PENNYWEIGHT_ISAP_BITS_H
#define PENNYWEIGHT_ISAP_BITS_H

/* Absorbs the bits of 16 bytes, with s_B rounds after each but the last. */
static inline void isap_absorb_bits(isap_state *s, const uint8_t *y)
{
    uint8_t left = 128;

    do {
        uint8_t bits = *y++;

        do {
            isap_add_bit(s, bits);
            bits = (uint8_t)(bits << 1);
            left--;
            if (left == 0) {
                return;
            }
            isap_permute(s, ISAP_S_B);
        } while (left % 8 != 0);
    } while (1);
}

#endif
