/*
 * Esch's mode, a sponge with indirect injection, for all variants and representations.
 *
 * References: C. Beierle et al., "Schwaemm and Esch" (v1.2, 2021), section 2.2, algorithms 2.9 and
 * 2.10; same names.
 *
 * Whether a full block is the message's last one is known only later, so it is buffered until then.
 */
#include "hash_state.h"

#include "api.h"
#include "bytes.h"
#include "crypto_hash.h"
#include "order.h"
#include "unroll.h"

const uint16_t hash_state_bytes = sizeof(hash_state);

#if ESCH_NATIVE

/* Absorbs a block that is not the last. */
static inline void absorb(sparkle_state *state, const uint8_t *block)
{
    esch_absorb_blocks(state, block, 1);
}

#else

/* l(x) = (x + (x << 16)) <<< 16, for a word in the order of its bytes. */
static inline uint32_t ell(uint32_t x)
{
    x = little_endian32(x);
    x ^= x << 16;
    return little_endian32(x << 16 | x >> 16);
}

/* Adds M_h of a block to the left half of the state, and permutes. */
static void inject(sparkle_state *state, const uint8_t *block, uint8_t steps)
{
    uint32_t *const s = state->words;
    uint32_t p[ESCH_RATE / 4];

    for (uint8_t i = 0; i < ESCH_RATE / 4; i++) {
        p[i] = little_endian32(load32_le(block + 4 * i));
        s[i] ^= p[i];
    }
    const uint32_t x = ell(p[0] ^ p[2]), y = ell(p[1] ^ p[3]);
    for (uint8_t i = 0; i < SPARKLE_BRANCHES; i = (uint8_t)(i + 2)) {
        s[i] ^= y;
        s[i + 1] ^= x;
    }
    sparkle_permute(state, steps);
}

/* Absorbs a block that is not the last. */
static inline void absorb(sparkle_state *state, const uint8_t *block)
{
    inject(state, block, SPARKLE_SLIM);
}

#endif

/* Initialization. */
void hash_init(hash_state *state)
{
#if ESCH_NATIVE
    UNROLL
    for (uint8_t i = 0; i < 2 * SPARKLE_BRANCHES; i++) {
        state->s.words[i] = 0;
        NO_LIBRARY_CALL();
    }
#else
    for (uint8_t i = 0; i < 2 * SPARKLE_BRANCHES; i++) {
        state->s.words[i] = 0;
    }
#endif
    state->taken = 0;
}

/* Absorbing. */
void hash_update(hash_state *state, const uint8_t *message, size_t length)
{
    if (length != 0 && state->taken == ESCH_RATE) {
        absorb(&state->s, state->block);
        state->taken = 0;
    }
    /* Full blocks before the last need not be buffered. */
    if (state->taken == 0) {
#if ESCH_NATIVE
        if (length > ESCH_RATE) {
            const size_t blocks = (length - 1) / ESCH_RATE;

            esch_absorb_blocks(&state->s, message, blocks);
            message += blocks * ESCH_RATE;
            length -= blocks * ESCH_RATE;
        }
        for (; length >= 4; length -= 4) {
            store32_le(state->block + state->taken, load32_le(message));
            state->taken = (uint8_t)(state->taken + 4);
            message += 4;
        }
#else
        for (; length > ESCH_RATE; length -= ESCH_RATE) {
            inject(&state->s, message, SPARKLE_SLIM);
            message += ESCH_RATE;
        }
#endif
    }
    while (length-- != 0) {
        if (state->taken == ESCH_RATE) {
            absorb(&state->s, state->block);
            state->taken = 0;
        }
        state->block[state->taken++] = *message++;
    }
}

/* Padding, the last block, and squeezing. */
void hash_final(hash_state *state, uint8_t *digest)
{
    uint8_t constant = 2;

    if (state->taken != ESCH_RATE) {
        constant = 1;
        state->block[state->taken] = 0x80;
        for (uint8_t i = (uint8_t)(state->taken + 1); i < ESCH_RATE; i++) {
            state->block[i] = 0;
        }
    }
    /* The upper byte of y in the last left branch. M_h does not change this constant. */
    state->s.bytes[4 * SPARKLE_BRANCHES - 1] ^= constant;
#if ESCH_NATIVE
    esch_finalize(&state->s, state->block, digest);
#else
    inject(&state->s, state->block, SPARKLE_BIG);
    for (uint8_t left = CRYPTO_BYTES / ESCH_RATE;;) {
        for (uint8_t i = 0; i < ESCH_RATE / sizeof(unit); i++) {
            store_unit(digest, state->s.units[i]);
            digest += sizeof(unit);
        }
        if (--left == 0) {
            break;
        }
        sparkle_permute(&state->s, SPARKLE_SLIM);
    }
#endif
}

int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long inlen)
{
    hash_state state;

    hash_init(&state);
    hash_update(&state, in, (size_t)inlen);
    hash_final(&state, out);
    return 0;
}
