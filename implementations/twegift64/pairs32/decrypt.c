/*
 * TweGIFT-64 decryption in words of 32 bits, each with two slices.
 *
 * References: see twegift64.h.
 */
#include "twegift64.h"

#include "pairs.h"

void twegift64_decrypt(twegift64_block *block, const uint8_t *key, uint8_t code)
{
    const uint32_t tweak = code * UINT32_C(0x0101);
    uint32_t s0 = block->s[0], s1 = block->s[1], s2 = block->s[2], s3 = block->s[3];
    uint32_t k[4], constant = 0x0b; /* of round 28 */

    /* Every pair of words is updated seven times: rotations to the right by 84 and by 14. */
    for (unsigned i = 0; i < 4; i++) {
        k[i] = round_key(load32_le(key + 4 * i), 12, 2);
    }
    for (unsigned round = TWEGIFT64_ROUNDS; round-- != 0;) {
        uint32_t *const pair_of_round = &k[round & 3];
        uint32_t t, low, high;

        if ((round & 3) == 3 && round != TWEGIFT64_ROUNDS - 1) {
            s2 ^= tweak;
        }
        *pair_of_round = round_key(*pair_of_round, 12, 2);
        low = pair(s0, s1) ^ *pair_of_round;
        s3 ^= UINT32_C(0x8000) ^ constant;
        constant = constant >> 1 | (~(constant ^ constant >> 5) & 1) << 5;
        /* The inverse of PermBits */
        low = pair(low, rotate(low >> 16, 12));
        high = pair(rotate(s2 & 0xffff, 8), rotate(s3 & 0xffff, 4));
        low = transpose(exchange_rows(low));
        high = transpose(exchange_rows(high));
        s0 = low;
        s1 = low >> 16;
        s2 = high;
        s3 = high >> 16;
        /* The inverse of SubCells */
        t = s3;
        s2 ^= t & s1;
        s0 = ~s0;
        s1 ^= s0;
        s3 = s0 ^ s2;
        s2 ^= t | s1;
        s0 = t ^ (s1 & s3);
        s1 ^= s0 & s2;
    }
    block->s[0] = (uint16_t)s0;
    block->s[1] = (uint16_t)s1;
    block->s[2] = (uint16_t)s2;
    block->s[3] = (uint16_t)s3;
}
