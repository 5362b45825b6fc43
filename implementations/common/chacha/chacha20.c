/*
 * ChaCha20: what does not depend on how a block is computed.
 *
 * References: RFC 8439 (2018), sections 2.3 and 2.4; names as there.
 */
#include "chacha20.h"

#include "bytes.h"

void chacha20_init(uint32_t state[16], const uint8_t *key, const uint8_t *nonce)
{
    state[0] = UINT32_C(0x61707865); /* "expand 32-byte k" */
    state[1] = UINT32_C(0x3320646e);
    state[2] = UINT32_C(0x79622d32);
    state[3] = UINT32_C(0x6b206574);
    for (unsigned i = 0; i < 8; i++) {
        state[4 + i] = load32_le(key + 4 * i);
    }
    state[CHACHA20_COUNTER] = 0;
    for (unsigned i = 0; i < 3; i++) {
        state[13 + i] = load32_le(nonce + 4 * i);
    }
}

void chacha20_encrypt(uint32_t state[16], uint8_t *output, const uint8_t *input, size_t length)
{
    uint32_t block[16];

    while (length != 0) {
        const unsigned n = length < 64 ? (unsigned)length : 64;

        chacha20_block(block, state);
        for (unsigned i = 0; i < n; i++) {
            output[i] = (uint8_t)(input[i] ^ block[i / 4] >> 8 * (i % 4));
        }
        output += n;
        input += n;
        length -= n;
    }
}
