/* Ascon-128: Ascon v1.2, sections 2.4 and 2.5, in the functions' order of the framework. */
#include "cipher.h"
#include "constants.h"
#include "permutation.h"

static void add(uint8_t *to, const uint8_t *from, uint8_t length)
{
    for (uint8_t i = 0; i < length; i++) {
        to[i] ^= from[i];
    }
}

void Initialize(uint8_t *state, const uint8_t *key, const uint8_t *nonce)
{
    static const uint8_t vector[8] = {0x80, 0x40, 0x0C, 0x06, 0, 0, 0, 0};
    for (uint8_t i = 0; i < 8; i++) {
        state[i] = vector[i];
    }
    for (uint8_t i = 0; i < 16; i++) {
        state[8 + i] = key[i];
        state[24 + i] = nonce[i];
    }
    permute(state, 12);
    add(state + 24, key, 16);
}

void ProcessAssociatedData(uint8_t *state, uint8_t *associatedData, uint32_t length)
{
    if (length > 0) {
        for (; length >= BLOCK_SIZE; length -= BLOCK_SIZE, associatedData += BLOCK_SIZE) {
            add(state, associatedData, BLOCK_SIZE);
            permute(state, 6);
        }
        add(state, associatedData, (uint8_t)length);
        state[length] ^= 0x80;
        permute(state, 6);
    }
    state[STATE_SIZE - 1] ^= 1;
}

void ProcessPlaintext(uint8_t *state, uint8_t *message, uint32_t length)
{
    for (;; length -= BLOCK_SIZE, message += BLOCK_SIZE) {
        const uint8_t part = (uint8_t)(length < BLOCK_SIZE ? length : BLOCK_SIZE);
        for (uint8_t i = 0; i < part; i++) {
            message[i] = state[i] ^= message[i];
        }
        if (length < BLOCK_SIZE) {
            state[length] ^= 0x80;
            return;
        }
        permute(state, 6);
    }
}

void ProcessCiphertext(uint8_t *state, uint8_t *message, uint32_t length)
{
    for (;; length -= BLOCK_SIZE, message += BLOCK_SIZE) {
        const uint8_t part = (uint8_t)(length < BLOCK_SIZE ? length : BLOCK_SIZE);
        for (uint8_t i = 0; i < part; i++) {
            const uint8_t c = message[i];
            message[i] = state[i] ^ c;
            state[i] = c;
        }
        if (length < BLOCK_SIZE) {
            state[length] ^= 0x80;
            return;
        }
        permute(state, 6);
    }
}

void Finalize(uint8_t *state, uint8_t *key)
{
    add(state + BLOCK_SIZE, key, 16);
    permute(state, 12);
    add(state + 24, key, 16);
}

void TagGeneration(uint8_t *state, uint8_t *tag)
{
    for (uint8_t i = 0; i < TAG_SIZE; i++) {
        tag[i] = state[24 + i];
    }
}
