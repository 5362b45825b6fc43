/*
 * TweGIFT-64 decryption in slices.
 *
 * References: see twegift64.h.
 */
#include "slices.h"

#include "bytes.h"

void twegift64_decrypt(twegift64_block *block, const uint8_t *key, uint8_t code)
{
    uint16_t s0 = block->s[0], s1 = block->s[1], s2 = block->s[2], s3 = block->s[3];
    uint16_t k[8];
    uint8_t constant = 0x0b; /* of round 28 */

    /* Every pair of words is updated seven times: rotations to the right by 84 and by 14. */
    for (uint8_t i = 0; i < 8; i = (uint8_t)(i + 2)) {
        const uint16_t v = (uint16_t)(key[2 * i] | (unsigned)key[2 * i + 1] << 8);
        const uint16_t u = (uint16_t)(key[2 * i + 2] | (unsigned)key[2 * i + 3] << 8);

        k[i] = rotl16(v, 12);
        k[i + 1] = rotl16(u, 2);
    }
    for (uint8_t round = TWEGIFT64_ROUNDS; round-- != 0;) {
        uint16_t *const v = k + 2 * (round & 3), *const u = v + 1;
        uint16_t t;

        if ((round & 3) == 3 && round != TWEGIFT64_ROUNDS - 1) {
            s2 ^= twegift64_tweak(code);
        }
        *v = rotl16(*v, 12);
        *u = rotl16(*u, 2);
        s0 ^= *v;
        s1 ^= *u;
        s3 ^= (uint16_t)(0x8000U | constant);
        constant = (uint8_t)(constant >> 1 | (~(constant ^ constant >> 5) & 1) << 5);
        /* The inverse of PermBits */
        s0 = transpose(exchange_rows(s0));
        s1 = transpose(exchange_rows(rotl16(s1, 12)));
        s2 = transpose(exchange_rows(rotl16(s2, 8)));
        s3 = transpose(exchange_rows(rotl16(s3, 4)));
        /* The inverse of SubCells */
        t = s3;
        s2 ^= t & s1;
        s0 = (uint16_t)~s0;
        s1 ^= s0;
        s3 = s0 ^ s2;
        s2 ^= t | s1;
        s0 = t ^ (s1 & s3);
        s1 ^= s0 & s2;
    }
    block->s[0] = s0;
    block->s[1] = s1;
    block->s[2] = s2;
    block->s[3] = s3;
}
