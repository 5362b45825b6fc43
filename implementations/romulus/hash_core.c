/*
 * Romulus-H: Merkle-Damgard with permutation over Hirose's compression function.
 *
 * References: "Romulus v1.3" (2021), section 2.4 (see romulus.h); same names.
 */
#include "hash_core.h"

#include "bytes.h"

/* Hirose's compression function: two encryptions of L and L + 1 under R and `block`. */
static void compress(romulus_hash *h, const uint8_t *block)
{
    uint8_t first[ROMULUS_BLOCK], second[ROMULUS_BLOCK];

    for (uint8_t i = 0; i < ROMULUS_BLOCK; i++) {
        first[i] = second[i] = h->l[i];
    }
    second[0] ^= 1;
    skinny128_encrypt_both(first, second, h->r, block, block + ROMULUS_BLOCK);
    for (uint8_t i = 0; i < ROMULUS_BLOCK; i++) {
        h->r[i] = second[i] ^ h->l[i];
        h->l[i] ^= first[i];
    }
    h->r[0] ^= 1;
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
    while (length != 0) {
        const size_t room = sizeof h->block - h->taken, n = length < room ? length : room;

        if (n == sizeof h->block) {
            compress(h, message);
        } else {
            copy_bytes(h->block + h->taken, message, n);
            h->taken = (uint8_t)(h->taken + n);
            if (n == room) {
                compress(h, h->block);
                h->taken = 0;
            }
        }
        message += n;
        length -= n;
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
    compress(h, h->block);
}
