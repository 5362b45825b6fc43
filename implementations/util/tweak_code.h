/*
 * The code of tweaks of four bits that TweAES and TweGIFT share.
 *
 * References: A. Chakraborti, N. Datta, A. Jha, C. Mancillas Lopez, M. Nandi, Y. Sasaki, "ESTATE"
 * (submission to NIST's lightweight cryptography project, round 2, 2019), section 2.2.
 */
#ifndef PENNYWEIGHT_UTIL_TWEAK_CODE_H
#define PENNYWEIGHT_UTIL_TWEAK_CODE_H

#include <stdint.h>

/* The tweak, and above it the tweak plus its parity in each bit: eight bits, of distance 4. */
static inline uint8_t tweak_code(uint8_t tweak)
{
    const uint8_t pairs = tweak ^ tweak >> 2;

    return (uint8_t)(tweak | (tweak ^ (((pairs ^ pairs >> 1) & 1) * 15)) << 4);
}

#endif
