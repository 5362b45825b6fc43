/*
 * Romulus-H: Merkle-Damgard with permutation over Hirose's compression function.
 *
 * References: "Romulus v1.3" (2021), section 2.4 (see romulus.h); names as there.
 */
#include "hash_core.h"

/* Hirose's compression function: two encryptions of L and L + 1 under R and the block. */
static void compress(romulus_hash *h)
{
    skinny128_schedule schedule;
    uint8_t first[ROMULUS_BLOCK], second[ROMULUS_BLOCK];

    skinny128_set_key_tk2(&schedule, h->block + ROMULUS_BLOCK, h->block);
    skinny128_add_tk1_upper(&schedule, h->r + 8);
    for (uint8_t i = 0; i < ROMULUS_BLOCK; i++) {
        first[i] = second[i] = h->l[i];
    }
    second[0] ^= 1;
    skinny128_encrypt(&schedule, h->r, first);
    skinny128_encrypt(&schedule, h->r, second);
    for (uint8_t i = 0; i < ROMULUS_BLOCK; i++) {
        h->r[i] = second[i] ^ h->l[i];
        h->l[i] ^= first[i];
    }
    h->r[0] ^= 1;
    h->taken = 0;
}

void romulus_hash_init(romulus_hash *h)
{
    for (uint8_t i = 0; i < ROMULUS_BLOCK; i++) {
        h->l[i] = h->r[i] = 0;
    }
    h->taken = 0;
}

void romulus_hash_update(romulus_hash *h, const uint8_t *message, size_t length)
{
    for (; length != 0; length--) {
        h->block[h->taken++] = *message++;
        if (h->taken == sizeof h->block) {
            compress(h);
        }
    }
}

/* The last block is padded with zeros and the number of its bytes, and marked in L. */
void romulus_hash_final(romulus_hash *h)
{
    uint8_t *last = &h->block[sizeof h->block - 1];

    *last = h->taken;
    for (uint8_t *p = h->block + h->taken; p != last; p++) {
        *p = 0;
    }
    h->l[0] ^= 2;
    compress(h);
}
