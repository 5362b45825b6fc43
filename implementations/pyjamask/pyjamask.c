/*
 * The block cipher Pyjamask.
 *
 * References: D. Goudarzi, J. Jean, S. Kölbl, T. Peyrin, M. Rivain, Y. Sasaki, S. M. Sim, "Pyjamask
 * v1.0" (submission to NIST's lightweight cryptography project, round 2, 2019), section 2; same
 * names.
 */
#include "pyjamask.h"

#include "bytes.h"
#include "matrices.h"
#include "rotate.h"

void pyjamask_set_key(pyjamask_key *key, const uint8_t *bytes)
{
    uint32_t k0 = load32_be(bytes), k1 = load32_be(bytes + 4);
    uint32_t k2 = load32_be(bytes + 8), k3 = load32_be(bytes + 12);
    uint32_t *k = key->k[0];

    for (uint8_t round = 0;; round++) {
        uint32_t sum;

        *k++ = k0;
        *k++ = k1;
        *k++ = k2;
        *k++ = k3;
        if (round == PYJAMASK_ROUNDS) {
            return;
        }
        /* MixColumns, MixAndRotateRows, AddConstant */
        sum = k0 ^ k1 ^ k2 ^ k3;
        k0 = multiply_mk(k0 ^ sum) ^ UINT32_C(0x00000080) ^ round;
        k1 = rotr32(k1 ^ sum, 8) ^ UINT32_C(0x00006a00);
        k2 = rotr32(k2 ^ sum, 15) ^ UINT32_C(0x003f0000);
        k3 = rotr32(k3 ^ sum, 18) ^ UINT32_C(0x24000000);
    }
}

/* Reads the rows of a block. */
static void load(uint32_t s[4], const uint8_t *block)
{
    for (uint8_t i = 0; i < PYJAMASK_ROWS; i++) {
        s[i] = load32_be(block + 4 * i);
    }
}

/* Writes the rows as a block. */
static void store(uint8_t *block, const uint32_t s[4])
{
    for (uint8_t i = 0; i < PYJAMASK_ROWS; i++) {
        store32_be(block + 4 * i, s[i]);
    }
}

/* AddRoundKey. */
static void add_round_key(uint32_t s[4], const uint32_t k[4])
{
    for (uint8_t i = 0; i < PYJAMASK_ROWS; i++) {
        s[i] ^= k[i];
    }
}

void pyjamask_encrypt(const pyjamask_key *key, uint8_t *block)
{
    uint32_t s[4];

    load(s, block);
    for (uint8_t round = 0; round < PYJAMASK_ROUNDS; round++) {
        uint32_t s0, s1, s2;

        add_round_key(s, key->k[round]);
        s0 = s[0], s1 = s[1], s2 = s[2];
#if PYJAMASK_ROWS == 3
        /* SubBytes; rows 0 and 1 are swapped at the end */
        s0 ^= s1;
        s1 ^= s2;
        s2 ^= s0 & s1;
        s0 ^= s1 & s2;
        s1 ^= s0 & s2;
        s2 ^= s0;
        s0 ^= s1;
        s2 = ~s2;
        s[0] = multiply_m0(s1);
        s[1] = multiply_m1(s0);
        s[2] = multiply_m2(s2);
#else
        uint32_t s3 = s[3];

        /* SubBytes; rows 2 and 3 are swapped at the end */
        s0 ^= s3;
        s3 ^= s0 & s1;
        s0 ^= s1 & s2;
        s1 ^= s2 & s3;
        s2 ^= s0 & s3;
        s2 ^= s1;
        s1 ^= s0;
        s3 = ~s3;
        s[0] = multiply_m0(s0);
        s[1] = multiply_m1(s1);
        s[2] = multiply_m2(s3);
        s[3] = multiply_m3(s2);
#endif
    }
    add_round_key(s, key->k[PYJAMASK_ROUNDS]);
    store(block, s);
}

void pyjamask_decrypt(const pyjamask_key *key, uint8_t *block)
{
    uint32_t s[4];

    load(s, block);
    add_round_key(s, key->k[PYJAMASK_ROUNDS]);
    for (uint8_t round = PYJAMASK_ROUNDS; round-- != 0;) {
#if PYJAMASK_ROWS == 3
        uint32_t s1 = multiply_inverse_m0(s[0]), s0 = multiply_inverse_m1(s[1]);
        uint32_t s2 = ~multiply_inverse_m2(s[2]);

        s0 ^= s1;
        s2 ^= s0;
        s1 ^= s2 & s0;
        s0 ^= s1 & s2;
        s2 ^= s0 & s1;
        s1 ^= s2;
        s0 ^= s1;
#else
        uint32_t s0 = multiply_inverse_m0(s[0]), s1 = multiply_inverse_m1(s[1]);
        uint32_t s3 = ~multiply_inverse_m2(s[2]), s2 = multiply_inverse_m3(s[3]);

        s1 ^= s0;
        s2 ^= s1;
        s2 ^= s3 & s0;
        s1 ^= s2 & s3;
        s0 ^= s1 & s2;
        s3 ^= s0 & s1;
        s0 ^= s3;
        s[3] = s3;
#endif
        s[0] = s0;
        s[1] = s1;
        s[2] = s2;
        add_round_key(s, key->k[round]);
    }
    store(block, s);
}
