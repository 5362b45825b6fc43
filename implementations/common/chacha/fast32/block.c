/*
 * The ChaCha20 block function, a double round at a time.
 *
 * References: RFC 8439 (2018), sections 2.1 and 2.3; names as there.
 */
#include "chacha20.h"

#include "rotate.h"

#define QUARTER_ROUND(a, b, c, d)                                                                  \
    do {                                                                                           \
        x[a] += x[b];                                                                              \
        x[d] = rotl32(x[d] ^ x[a], 16);                                                            \
        x[c] += x[d];                                                                              \
        x[b] = rotl32(x[b] ^ x[c], 12);                                                            \
        x[a] += x[b];                                                                              \
        x[d] = rotl32(x[d] ^ x[a], 8);                                                             \
        x[c] += x[d];                                                                              \
        x[b] = rotl32(x[b] ^ x[c], 7);                                                             \
    } while (0)

void chacha20_block(uint32_t block[16], uint32_t state[16])
{
    uint32_t x[16];

    for (unsigned i = 0; i < 16; i++) {
        x[i] = state[i];
    }
    for (unsigned i = 0; i < 10; i++) {
        QUARTER_ROUND(0, 4, 8, 12);
        QUARTER_ROUND(1, 5, 9, 13);
        QUARTER_ROUND(2, 6, 10, 14);
        QUARTER_ROUND(3, 7, 11, 15);
        QUARTER_ROUND(0, 5, 10, 15);
        QUARTER_ROUND(1, 6, 11, 12);
        QUARTER_ROUND(2, 7, 8, 13);
        QUARTER_ROUND(3, 4, 9, 14);
    }
    for (unsigned i = 0; i < 16; i++) {
        block[i] = x[i] + state[i];
    }
    state[CHACHA20_COUNTER]++;
}
