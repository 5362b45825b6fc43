/*
 * SipHash-2-4 with an output of 64 or of 128 bits.
 *
 * References: J.-P. Aumasson, D. J. Bernstein, "SipHash: a fast short-input PRF", INDOCRYPT 2012,
 * section 2; same names. The variant of 128 bits is that of the designers' reference code
 * (https://github.com/veorq/SipHash).
 *
 * "api.h" gives CRYPTO_BYTES: 8 or 16.
 */
#include "add64.h"
#include "bytes.h"
#include "mac_state.h"
#include "riscv.h"
#include "rotate64.h"

/* Whether the state stays in registers from word to word: RV32I has enough of them, and at -Os, a
 * short message takes more time this way. */
#if PW_RV32I && !defined(__OPTIMIZE_SIZE__)
#define SIPHASH_STAYS 1
#else
#define SIPHASH_STAYS 0
#endif

const uint16_t mac_state_bytes = sizeof(mac_state);

#if !SIPHASH_NATIVE

/* SipRound, `rounds` times. */
static void sip_rounds(uint64_t v[4], uint8_t rounds)
{
    uint64_t v0 = v[0], v1 = v[1], v2 = v[2], v3 = v[3];

    do {
        v0 = add64(v0, v1);
        v1 = rotl64(v1, 13) ^ v0;
        v0 = rotl64(v0, 32);
        v2 = add64(v2, v3);
        v3 = rotl64(v3, 16) ^ v2;
        v0 = add64(v0, v3);
        v3 = rotl64(v3, 21) ^ v0;
        v2 = add64(v2, v1);
        v1 = rotl64(v1, 17) ^ v2;
        v2 = rotl64(v2, 32);
    } while (--rounds != 0);
    v[0] = v0, v[1] = v1, v[2] = v2, v[3] = v3;
}

#if SIPHASH_STAYS

/* Absorbs `count` words m_i of the message: c = 2 rounds for each. */
static void siphash_absorb(uint64_t v[4], const uint8_t *words, size_t count)
{
    for (; count != 0; count--) {
        const uint64_t m = load64_le(words);

        v[3] ^= m;
        sip_rounds(v, 2);
        v[0] ^= m;
        words += 8;
    }
}

/* The d = 4 rounds before the output. */
static void siphash_finish(uint64_t v[4])
{
    sip_rounds(v, 4);
}

#endif
#endif

#if SIPHASH_NATIVE || SIPHASH_STAYS

/* Absorbs a word of the message. */
static inline void compress(mac_state *state, const uint8_t *bytes)
{
    siphash_absorb(state->v, bytes, 1);
}

/* d = 4 rounds. */
static inline void finish(mac_state *state)
{
    siphash_finish(state->v);
}

#else

/* Absorbs a word m_i of the message: c = 2 rounds. */
static void compress(mac_state *state, const uint8_t *bytes)
{
    const uint64_t m = load64_le(bytes);

    state->v[3] ^= m;
    sip_rounds(state->v, 2);
    state->v[0] ^= m;
}

/* d = 4 rounds. */
static inline void finish(mac_state *state)
{
    sip_rounds(state->v, 4);
}

#endif

void mac_init(mac_state *state, const uint8_t *key)
{
    const uint64_t k0 = load64_le(key), k1 = load64_le(key + 8);

    state->v[0] = k0 ^ UINT64_C(0x736f6d6570736575);
    state->v[1] = k1 ^ UINT64_C(0x646f72616e646f6d);
    state->v[2] = k0 ^ UINT64_C(0x6c7967656e657261);
    state->v[3] = k1 ^ UINT64_C(0x7465646279746573);
    if (CRYPTO_BYTES == 16) {
        state->v[1] ^= 0xee;
    }
    state->length = 0;
}

void mac_update(mac_state *state, const uint8_t *message, size_t length)
{
    uint8_t filled = state->length & 7;

    if (length == 0) {
        return; /* the message may be NULL, and NULL + 0 is not defined (C11, 6.5.6) */
    }
    state->length = (uint8_t)(state->length + length);
    if (filled != 0) {
        uint8_t n = (uint8_t)(8 - filled);

        n = length < n ? (uint8_t)length : n;
        copy_bytes(state->block + filled, message, n);
        message += n;
        length -= n;
        if (filled + n != 8) {
            return;
        }
        compress(state, state->block);
    }
#if SIPHASH_NATIVE || SIPHASH_STAYS
    siphash_absorb(state->v, message, length / 8);
    message += length & ~(size_t)7;
    length &= 7;
#else
    for (; length >= 8; length -= 8) {
        compress(state, message);
        message += 8;
    }
#endif
    copy_bytes(state->block, message, length);
}

/* Half of the output: d = 4 rounds, and then the sum of the v. */
static void output(mac_state *state, uint8_t *half)
{
    finish(state);
    store64_le(half, state->v[0] ^ state->v[1] ^ state->v[2] ^ state->v[3]);
}

void mac_finalize(mac_state *state)
{
    const uint8_t filled = state->length & 7;

    zero_bytes(state->block + filled, (uint8_t)(7 - filled));
    state->block[7] = state->length;
    compress(state, state->block);
    state->v[2] ^= CRYPTO_BYTES == 16 ? 0xee : 0xff;
    output(state, state->tag);
#if CRYPTO_BYTES == 16
    state->v[1] ^= 0xdd;
    output(state, state->tag + 8);
#endif
}
