/*
 * TweGIFT-64 encryption in words of 32 bits, each with two slices.
 *
 * References: see twegift64.h.
 *
 * In the key state, pairs of words do not move: round r takes the pair r mod 4 and updates it. The
 * tweak is added to slice 2 after every fourth round but the last.
 */
#include "twegift64.h"

#include "pairs.h"

/* The key is added to both slices at once, before PermBits rotates slice 1 by 4: so U is stored
 * rotated back by 4. */
enum { BACK = 12 };

/* Slice j takes bits j and 4 + j of each byte. */
void twegift64_load(twegift64_block *block, const uint8_t *bytes)
{
    uint32_t s0 = 0, s1 = 0, s2 = 0, s3 = 0;

    for (unsigned i = 8; i-- != 0;) {
        const uint32_t low = bytes[i], high = low >> 3;

        s0 = s0 << 2 | (low & 1) | (high & 2);
        s1 = s1 << 2 | (low >> 1 & 1) | (high >> 1 & 2);
        s2 = s2 << 2 | (low >> 2 & 1) | (high >> 2 & 2);
        s3 = s3 << 2 | (low >> 3 & 1) | (high >> 3 & 2);
    }
    block->s[0] = (uint16_t)s0;
    block->s[1] = (uint16_t)s1;
    block->s[2] = (uint16_t)s2;
    block->s[3] = (uint16_t)s3;
}

void twegift64_store(uint8_t *bytes, const twegift64_block *block)
{
    uint32_t s0 = block->s[0], s1 = block->s[1], s2 = block->s[2], s3 = block->s[3];

    for (unsigned i = 0; i < 8; i++) {
        const uint32_t low = (s0 & 1) | (s1 & 1) << 1 | (s2 & 1) << 2 | (s3 & 1) << 3;
        const uint32_t high = (s0 & 2) | (s1 & 2) << 1 | (s2 & 2) << 2 | (s3 & 2) << 3;

        bytes[i] = (uint8_t)(low | high << 3);
        s0 >>= 2;
        s1 >>= 2;
        s2 >>= 2;
        s3 >>= 2;
    }
}

void twegift64_encrypt(twegift64_block *block, const uint8_t *key, uint8_t code)
{
    const uint32_t tweak = code * UINT32_C(0x0101);
    uint32_t s0 = block->s[0], s1 = block->s[1], s2 = block->s[2], s3 = block->s[3];
    uint32_t k[4], constant = 0;

    for (unsigned i = 0; i < 4; i++) {
        const uint32_t word = load32_le(key + 4 * i);

        k[i] = pair(word, rotate(word >> 16, BACK));
    }
    for (unsigned round = 0; round < TWEGIFT64_ROUNDS; round++) {
        uint32_t *const pair_of_round = &k[round & 3];
        uint32_t t, low, high;

        /* SubCells */
        s1 ^= s0 & s2;
        t = s0 ^ (s1 & s3);
        s2 ^= t | s1;
        s0 = s3 ^ s2;
        s1 ^= s0;
        s0 = ~s0;
        s2 ^= t & s1;
        s3 = t;
        /* PermBits, AddRoundKey, and the update of the key's words */
        low = exchange_rows(transpose(pair(s0, s1))) ^ *pair_of_round;
        high = exchange_rows(transpose(pair(s2, s3)));
        *pair_of_round = round_key(*pair_of_round, 4, 14);
        s0 = low;
        s1 = rotate(low >> 16, 4);
        s2 = rotate(high & 0xffff, 8);
        constant = (constant << 1 & 0x3f) | (~(constant >> 5 ^ constant >> 4) & 1);
        s3 = rotate(high >> 16, 12) ^ UINT32_C(0x8000) ^ constant;
        if ((round & 3) == 3 && round != TWEGIFT64_ROUNDS - 1) {
            s2 ^= tweak;
        }
    }
    block->s[0] = (uint16_t)s0;
    block->s[1] = (uint16_t)s1;
    block->s[2] = (uint16_t)s2;
    block->s[3] = (uint16_t)s3;
}
