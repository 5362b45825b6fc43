/*
 * Random words from a generator in software, for parts without one in hardware: a linear feedback
 * shift register of 32 bits, xorshift32. One word determines all later ones, so the generator is
 * not cryptographic. It shows the cost of a cheap generator.
 *
 * References: G. Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8 (2003), 14;
 * R. P. Brent, "Note on Marsaglia's Xorshift Random Number Generators", ibid. 11 (2004), 5: it is a
 * linear feedback shift register.
 */
#include "../include/pennyweight/random.h"

uint32_t pw_random_lfsr = UINT32_C(0x9e3779b9);

uint32_t pw_random32(void)
{
    uint32_t x = pw_random_lfsr;

    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    pw_random_lfsr = x;
    return x;
}
