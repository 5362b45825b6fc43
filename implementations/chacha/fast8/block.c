/*
 * The ChaCha20 block function, with eight quarter rounds unrolled and one word of each row in
 * registers at a time: for AVR, where these fill half of the registers.
 *
 * References: RFC 8439 (2018), sections 2.1 and 2.3; same names.
 */
#include "chacha20.h"

#include "in_order.h"
#include "inline.h"
#include "rotate.h"

/* QUARTERROUND(i, j, k, l), with constants. */
ALWAYS_INLINE void quarter_round(uint32_t x[16], uint8_t i, uint8_t j, uint8_t k, uint8_t l)
{
    uint32_t a = x[i], b = x[j], c = x[k], d = x[l];

    a += b;
    d = rotl32(d ^ a, 16);
    c += d;
    b = rotl32(b ^ c, 12);
    a += b;
    d = rotl32(d ^ a, 8);
    c += d;
    b = rotl32(b ^ c, 7);
    x[i] = a;
    x[j] = b;
    x[k] = c;
    x[l] = d;
    IN_ORDER(); /* load the next words after these are stored */
}

void chacha20_block(uint32_t block[16], const uint32_t state[16])
{
    for (uint8_t i = 0; i < 16; i++) {
        block[i] = state[i];
    }
    for (uint8_t i = 0; i < 10; i++) {
        quarter_round(block, 0, 4, 8, 12);
        quarter_round(block, 1, 5, 9, 13);
        quarter_round(block, 2, 6, 10, 14);
        quarter_round(block, 3, 7, 11, 15);
        quarter_round(block, 0, 5, 10, 15);
        quarter_round(block, 1, 6, 11, 12);
        quarter_round(block, 2, 7, 8, 13);
        quarter_round(block, 3, 4, 9, 14);
    }
    for (uint8_t i = 0; i < 16; i++) {
        block[i] += state[i];
    }
}
