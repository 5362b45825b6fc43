/*
 * TweGIFT-64 encryption in slices.
 *
 * References: see twegift64.h.
 *
 * In the key state, pairs of words do not move: round r takes the pair r mod 4 and updates it. The
 * tweak is added to slice 2 after every fourth round but the last.
 */
#include "slices.h"

#include "bytes.h"

void twegift64_load(twegift64_block *block, const uint8_t *bytes)
{
    for (uint8_t j = 0; j < 4; j++) {
        block->s[j] = 0;
    }
    for (uint8_t i = 8; i-- != 0;) {
        uint8_t byte = bytes[i];

        for (uint8_t j = 0; j < 4; j++) {
            block->s[j] = (uint16_t)((unsigned)block->s[j] << 2 | (byte & 1) | (byte >> 3 & 2));
            byte >>= 1;
        }
    }
}

void twegift64_store(uint8_t *bytes, const twegift64_block *block)
{
    for (uint8_t i = 0; i < 8; i++) {
        uint8_t byte = 0;

        for (uint8_t j = 4; j-- != 0;) {
            const uint8_t pair = (uint8_t)(block->s[j] >> (2 * i));

            byte = (uint8_t)(byte << 1 | (pair & 1) | (pair & 2) << 3);
        }
        *bytes++ = byte;
    }
}

void twegift64_encrypt(twegift64_block *block, const uint8_t *key, uint8_t code)
{
    uint16_t s0 = block->s[0], s1 = block->s[1], s2 = block->s[2], s3 = block->s[3];
    uint16_t k[8];
    uint8_t constant = 0;

    for (uint8_t i = 0; i < 8; i++) {
        k[i] = (uint16_t)(key[2 * i] | (unsigned)key[2 * i + 1] << 8);
    }
    for (uint8_t round = 0; round < TWEGIFT64_ROUNDS; round++) {
        uint16_t *const v = k + 2 * (round & 3), *const u = v + 1;
        uint16_t t;

        /* SubCells */
        s1 ^= s0 & s2;
        t = s0 ^ (s1 & s3);
        s2 ^= t | s1;
        s0 = s3 ^ s2;
        s1 ^= s0;
        s0 = (uint16_t)~s0;
        s2 ^= t & s1;
        s3 = t;
        /* PermBits */
        s0 = exchange_rows(transpose(s0));
        s1 = rotl16(exchange_rows(transpose(s1)), 4);
        s2 = rotl16(exchange_rows(transpose(s2)), 8);
        s3 = rotl16(exchange_rows(transpose(s3)), 12);
        /* AddRoundKey, and the update of its words */
        constant = (uint8_t)((constant << 1 & 0x3f) | (~(constant >> 5 ^ constant >> 4) & 1));
        s0 ^= *v;
        s1 ^= *u;
        s3 ^= (uint16_t)(0x8000U | constant);
        *v = rotl16(*v, 4);
        *u = rotl16(*u, 14);
        if ((round & 3) == 3 && round != TWEGIFT64_ROUNDS - 1) {
            s2 ^= twegift64_tweak(code);
        }
    }
    block->s[0] = s0;
    block->s[1] = s1;
    block->s[2] = s2;
    block->s[3] = s3;
}
