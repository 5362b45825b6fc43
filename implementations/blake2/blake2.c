/*
 * BLAKE2s and BLAKE2b: blocks, padding, and the compression without its rounds.
 *
 * References: RFC 7693 (2015), sections 2 and 3; same names.
 */
#include "blake2.h"

#include "aligned.h"
#include "api.h"
#include "flash.h"
#include "inline.h"
#include "sigma.h"

#define ROUND(a, b, c, d, e, f, g, h) a, b, c, d, e, f, g, h,

const uint8_t blake2_sigma[80] IN_FLASH = {BLAKE2_SIGMA(ROUND)};

#undef ROUND

/* The upper 32 bits of each word, then the lower ones. */
const uint32_t blake2_iv[16] IN_FLASH = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
    0xf3bcc908, 0x84caa73b, 0xfe94f82b, 0x5f1d36f1, 0xade682d1, 0x2b3e6c1f, 0xfb41bd6b, 0x137e2179,
};

blake2_word blake2_iv_word(uint8_t i)
{
    return BLAKE2_IV(flash_u32(&blake2_iv[i]), flash_u32(&blake2_iv[8 + i]));
}

/* Converts the bytes of a block to its words, in place. */
static inline void words_of_bytes(blake2_word *m)
{
#if BLAKE2_LITTLE_ENDIAN
    (void)m; /* they are words */
#else
    for (uint8_t i = 0; i < 16; i++) {
        m[i] = BLAKE2_LOAD((const uint8_t *)&m[i]);
    }
#endif
}

/* On AVR, displacements cannot span a frame with v, so everything else has its own frame. */
#if defined(__AVR__)
#define APART NEVER_INLINE
#else
#define APART static inline
#endif

/* t += bytes */
APART void count(blake2_word *t, uint8_t bytes)
{
    t[0] += bytes;
    if (t[0] < bytes) {
        t[1]++;
    }
}

#if !BLAKE2S_NATIVE

/* Sets the working variables v for a block that may be the last. */
APART void start(blake2_word *v, const blake2 *state, uint8_t last)
{
    for (uint8_t i = 0; i < 8; i++) {
        v[i] = state->h[i];
        v[8 + i] = blake2_iv_word(i);
    }
    v[12] ^= state->bytes[0];
    v[13] ^= state->bytes[1];
    if (last) {
        v[14] = ~v[14];
    }
}

/* Adds both halves of v to h. */
APART void add_halves(blake2_word *h, const blake2_word *v)
{
    for (uint8_t i = 0; i < 8; i++) {
        h[i] ^= v[i] ^ v[8 + i];
    }
}

#endif

/* F: compresses the pending block in m, which has `bytes` bytes of the message. */
static void compress(blake2 *state, uint8_t bytes, uint8_t last)
{
    count(state->bytes, bytes);
#if BLAKE2S_NATIVE
    blake2s_compress(state->h, (const uint8_t *)state->m, state->bytes, 0 - (uint32_t)last);
#else
    blake2_word v[16];

    words_of_bytes(state->m);
    start(v, state, last);
    blake2_rounds(v, state->m);
    add_halves(state->h, v);
#endif
    state->filled = 0;
}

/* Appends `length` <= BLAKE2_BLOCK - filled bytes to the pending ones. */
static inline void append(blake2 *state, const uint8_t *message, uint8_t length)
{
    uint8_t *to = (uint8_t *)state->m + state->filled;

    state->filled = (uint8_t)(state->filled + length);
#if !defined(BLAKE2_SMALL) && !defined(__AVR__) && !defined(__MSP430__)
    if (is_aligned32(message) && is_aligned32(to)) {
        for (; length >= 4; length = (uint8_t)(length - 4)) {
            store32_aligned(to, load32_aligned(message));
            to += 4;
            message += 4;
        }
    }
#endif
    copy_bytes(to, message, length);
}

void blake2_update(blake2 *state, const uint8_t *message, size_t length)
{
    while (length != 0) {
        uint8_t n;

        if (state->filled == BLAKE2_BLOCK) { /* it is not the last */
            compress(state, BLAKE2_BLOCK, 0);
        }
#if BLAKE2S_NATIVE
        /* Blocks before the last need not be buffered. */
        const uint8_t in_place = !BLAKE2S_ALIGNED || is_aligned32(message);

        for (; in_place && state->filled == 0 && length > BLAKE2_BLOCK; length -= BLAKE2_BLOCK) {
            count(state->bytes, BLAKE2_BLOCK);
            blake2s_compress(state->h, message, state->bytes, 0);
            message += BLAKE2_BLOCK;
        }
#endif
        n = (uint8_t)(BLAKE2_BLOCK - state->filled);
        n = length < n ? (uint8_t)length : n;
        append(state, message, n);
        message += n;
        length -= n;
    }
}

/* Fills the block with zeros. */
static void fill(blake2 *state)
{
    zero_bytes((uint8_t *)state->m + state->filled, (uint8_t)(BLAKE2_BLOCK - state->filled));
}

void blake2_init(blake2 *state, uint8_t size, const uint8_t *key, uint8_t key_bytes)
{
    for (uint8_t i = 0; i < 8; i++) {
        state->h[i] = blake2_iv_word(i);
    }
    state->h[0] ^= UINT32_C(0x01010000) ^ (uint32_t)key_bytes << 8 ^ size;
    state->bytes[0] = state->bytes[1] = 0;
    state->filled = 0;
    if (key_bytes != 0) {
        blake2_update(state, key, key_bytes);
        fill(state);
        state->filled = BLAKE2_BLOCK;
    }
}

void blake2_final(blake2 *state, uint8_t *digest, uint8_t size)
{
    const uint8_t filled = state->filled;

    fill(state);
    compress(state, filled, 1);
    for (uint8_t i = 0; i < size / sizeof(blake2_word); i++) {
        BLAKE2_STORE(digest, state->h[i]);
        digest += sizeof(blake2_word);
    }
}
