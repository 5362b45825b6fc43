/*
 * ChaCha20: the functions that do not depend on how a block is computed.
 *
 * References: RFC 8439 (2018), sections 2.3 and 2.4; same names.
 */
#include "chacha20.h"

#include <limits.h>

#include "bytes.h"

/* Whether the core loads and stores words at any address. */
#if defined(__ARM_FEATURE_UNALIGNED) || defined(__x86_64__) || defined(__aarch64__)
#define UNALIGNED_ACCESS 1
#define ALIGNMENT 1
#else
#define UNALIGNED_ACCESS 0
#define ALIGNMENT 4
#endif

void chacha20_init(uint32_t state[16], const uint8_t *key, const uint8_t *nonce)
{
    state[0] = UINT32_C(0x61707865); /* "expand 32-byte k" */
    state[1] = UINT32_C(0x3320646e);
    state[2] = UINT32_C(0x79622d32);
    state[3] = UINT32_C(0x6b206574);
    for (uint8_t i = 0; i < 8; i++) {
        state[4 + i] = load32_le(key + 4 * i);
    }
    chacha20_set_nonce(state, nonce);
}

void chacha20_set_nonce(uint32_t state[16], const uint8_t *nonce)
{
    state[CHACHA20_COUNTER] = 0;
    for (uint8_t i = 0; i < 3; i++) {
        state[13 + i] = load32_le(nonce + 4 * i);
    }
}

void chacha20_next(chacha20_stream *stream, uint32_t state[16])
{
    chacha20_block(stream->words, state);
    state[CHACHA20_COUNTER]++;
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
    for (uint8_t i = 0; i < 16; i++) {
        store32_le(stream->bytes + 4 * i, stream->words[i]);
    }
#endif
}

/* output = input ^ stream for the first `length` <= 64 bytes. */
static void add_stream(uint8_t *output, const uint8_t *input, const chacha20_stream *stream,
                       uint8_t length)
{
    uint8_t i = 0;

#if defined(__GNUC__) && UINT_MAX > 0xffff && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    /* Word by word, if words can be loaded and stored at these addresses. */
    if (UNALIGNED_ACCESS || ((uintptr_t)output | (uintptr_t)input) % 4 == 0) {
        for (; length - i >= 4; i += 4) {
            uint32_t word;

            __builtin_memcpy(&word, __builtin_assume_aligned(input + i, ALIGNMENT), 4);
            word ^= stream->words[i / 4];
            __builtin_memcpy(__builtin_assume_aligned(output + i, ALIGNMENT), &word, 4);
        }
    }
#endif
    for (; i < length; i++) {
        output[i] = input[i] ^ stream->bytes[i];
    }
}

void chacha20_encrypt(uint32_t state[16], uint8_t *output, const uint8_t *input, size_t length)
{
    chacha20_stream stream;

#if CHACHA20_NATIVE_BLOCKS
    const size_t blocks = length / 64;

    if (blocks != 0) {
        chacha20_encrypt_blocks(state, output, input, blocks);
        output += 64 * blocks;
        input += 64 * blocks;
        length -= 64 * blocks;
    }
#endif
    while (length != 0) {
        const uint8_t n = length < 64 ? (uint8_t)length : 64;

        chacha20_next(&stream, state);
        add_stream(output, input, &stream, n);
        output += n;
        input += n;
        length -= n;
    }
}
