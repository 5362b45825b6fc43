/*
 * SHA-256: padding, the incremental API and the one-shot function.
 *
 * References: FIPS 180-4 (2015), sections 5.1.1, 5.3.3, 6.2; same names.
 */
#include "sha256.h"

#include "bytes.h"
#include "crypto_hash.h"
#include "flash.h"

const uint16_t hash_state_bytes = sizeof(hash_state);

/* H^(0). */
static const uint32_t initial[8] IN_FLASH = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};

const uint32_t sha256_k[64] IN_FLASH = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

void hash_init(hash_state *state)
{
    for (uint8_t i = 0; i < 8; i++) {
        state->h[i] = flash_u32(&initial[i]);
        NO_LIBRARY_CALL();
    }
    state->bytes[0] = 0;
    state->bytes[1] = 0;
}

void hash_update(hash_state *state, const uint8_t *message, size_t length)
{
    const uint8_t filled = state->bytes[0] % 64;
    const uint32_t sum = state->bytes[0] + (uint32_t)length;

    if (length == 0) {
        return; /* the message may be NULL, and NULL + 0 is not defined (C11, 6.5.6) */
    }
    state->bytes[1] += (sum < state->bytes[0]) + (uint32_t)((uint64_t)length >> 32);
    state->bytes[0] = sum;
    if (filled != 0) {
        const uint8_t room = (uint8_t)(64 - filled);

        if (length < room) {
            copy_bytes(state->block + filled, message, length);
            return;
        }
        copy_bytes(state->block + filled, message, room);
        sha256_compress(state->h, state->block, 1);
        message += room;
        length -= room;
    }
    sha256_compress(state->h, message, length / 64);
    copy_bytes(state->block, message + (length & ~(size_t)63), length % 64);
}

/* Sets the block to zero from `i` to before `end`, multiples of 4. */
static void zero_words(hash_state *state, uint8_t i, uint8_t end)
{
    for (; i != end; i = (uint8_t)(i + 4)) {
        store32_le(state->block + i, 0);
        NO_LIBRARY_CALL();
    }
}

void hash_final(hash_state *state, uint8_t *digest)
{
    uint8_t filled = state->bytes[0] % 64;

    state->block[filled++] = 0x80;
    for (; filled % 4 != 0; filled++) {
        state->block[filled] = 0;
    }
    if (filled > 56) {
        zero_words(state, filled, 64);
        sha256_compress(state->h, state->block, 1);
        filled = 0;
    }
    zero_words(state, filled, 56);
    store32_be(state->block + 56, state->bytes[1] << 3 | state->bytes[0] >> 29);
    store32_be(state->block + 60, state->bytes[0] << 3);
    sha256_compress(state->h, state->block, 1);
    for (uint8_t i = 0; i < 8; i++) {
        store32_be(digest, state->h[i]);
        digest += 4;
    }
}

int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long inlen)
{
    hash_state state;

    hash_init(&state);
    hash_update(&state, in, (size_t)inlen);
    hash_final(&state, out);
    return 0;
}
