/*
 * Xoodyak's authenticated encryption on a state in shares: Cyclist in keyed mode.
 *
 * References: J. Daemen et al., "Xoodyak, a lightweight cryptographic scheme" (v2, 2021), the mode
 * Cyclist and its use for authenticated encryption; same names.
 *
 * The key and the state are shared. Associated data, ciphertext, tag and the message itself are
 * not: a lane of ciphertext is the sum of the shares of a lane of the state and the message's.
 */
#include "aead_state.h"
#include "api.h"
#include "bytes.h"
#include "secret.h"

/* R_kin, for associated data, and R_kout, for the message. All calls of a kind except the last end
 * with a block: at multiples of both. */
enum { RATE_AD = 44, RATE_MESSAGE = 24 };

const uint16_t aead_state_bytes = sizeof(aead_state);
const uint16_t aead_block_bytes = 11 * RATE_MESSAGE;

/* The bytes of domain separation: of Down() for key and associated data, of Up() for message and
 * tag. */
enum { DOMAIN_KEY = 0x02, DOMAIN_AD = 0x03, DOMAIN_MESSAGE = 0x80, DOMAIN_TAG = 0x40 };

enum { ABSORB, ENCRYPT, DECRYPT };

/* Adds a public byte as byte `i` of the state. */
static void add_byte(masked_state *s, unsigned i, unsigned byte)
{
    s->lane[i / 4].share[0] ^= (uint32_t)byte << 8 * (i % 4);
}

/* Adds a byte of domain separation to the last byte of the state. */
static void separate(masked_state *s, unsigned domain)
{
    add_byte(s, 4 * XOODOO_LANES - 1, domain);
}

/* Processes `length` bytes, at most 4, in a lane. */
static void take_lane(masked_word *lane, uint8_t *output, const uint8_t *input, unsigned length,
                      unsigned direction)
{
    uint8_t block[4];

    copy_bytes(block, input, length);
    zero_bytes(block + length, sizeof block - length);
    uint32_t in = load32_le(block);
    if (direction != ABSORB) {
        store32_le(block, masked_word_combine(lane) ^ in);
        copy_bytes(output, block, length);
        if (direction == DECRYPT) {
            /* The message; adding it to the state gives the ciphertext. */
            zero_bytes(block + length, sizeof block - length);
            in = load32_le(block);
        }
    }
    lane->share[0] ^= in;
}

/* Up() before a block of associated data or message, with Down()'s constant for the first. */
static void up(aead_state *state, unsigned phase)
{
    const int first = state->phase != phase;

    if (first && phase == XOODYAK_PHASE_MESSAGE) {
        separate(&state->s, DOMAIN_MESSAGE);
    }
    masked_permute(&state->s);
    if (first && phase == XOODYAK_PHASE_AD) {
        separate(&state->s, DOMAIN_AD);
    }
    state->phase = (uint8_t)phase;
}

/* Processes `length` bytes, or an empty block if there are none. */
static void take(aead_state *state, uint8_t *output, const uint8_t *input, size_t length,
                 unsigned phase, unsigned direction)
{
    const unsigned rate = phase == XOODYAK_PHASE_AD ? RATE_AD : RATE_MESSAGE;

    for (;;) {
        const unsigned n = length < rate ? (unsigned)length : rate;

        up(state, phase);
        for (unsigned i = 0; i < n; i += 4) {
            take_lane(&state->s.lane[i / 4], direction == ABSORB ? NULL : output + i, input + i,
                      n - i < 4 ? n - i : 4, direction);
        }
        add_byte(&state->s, n, 1);
        length -= n;
        if (length == 0) {
            break; /* before the pointers advance, which may be null if `length` is 0 */
        }
        if (direction != ABSORB) {
            output += n;
        }
        input += n;
    }
}

/* Initialize(K, ID, counter), with the nonce as ID and no counter: AbsorbKey(). */
void aead_init(aead_state *state, const uint8_t *key, const uint8_t *nonce)
{
    masked_set_state(&state->s, key, nonce);
    add_byte(&state->s, CRYPTO_KEYBYTES + CRYPTO_NPUBBYTES, CRYPTO_NPUBBYTES);
    add_byte(&state->s, CRYPTO_KEYBYTES + CRYPTO_NPUBBYTES + 1, 1);
    separate(&state->s, DOMAIN_KEY);
    state->phase = XOODYAK_PHASE_KEY;
}

/* Absorb(A). */
void aead_ad(aead_state *state, const uint8_t *ad, size_t length)
{
    if (length != 0) {
        take(state, NULL, ad, length, XOODYAK_PHASE_AD, ABSORB);
    }
}

/* Ends the associated data, with at least one empty block. */
static void end_ad(aead_state *state)
{
    if (state->phase == XOODYAK_PHASE_KEY) {
        take(state, NULL, NULL, 0, XOODYAK_PHASE_AD, ABSORB);
    }
}

/* Encrypt(P). */
void aead_encrypt(aead_state *state, uint8_t *ciphertext, const uint8_t *plaintext, size_t length)
{
    end_ad(state);
    if (length != 0) {
        take(state, ciphertext, plaintext, length, XOODYAK_PHASE_MESSAGE, ENCRYPT);
    }
}

/* Decrypt(C). */
void aead_decrypt(aead_state *state, uint8_t *plaintext, const uint8_t *ciphertext, size_t length)
{
    end_ad(state);
    if (length != 0) {
        take(state, plaintext, ciphertext, length, XOODYAK_PHASE_MESSAGE, DECRYPT);
    }
}

/* Squeeze(), after at least an empty block of the message. */
void aead_finalize(aead_state *state)
{
    end_ad(state);
    if (state->phase == XOODYAK_PHASE_AD) {
        take(state, NULL, NULL, 0, XOODYAK_PHASE_MESSAGE, ABSORB);
    }
    separate(&state->s, DOMAIN_TAG);
    masked_permute(&state->s);
}

void aead_tag(const aead_state *state, uint8_t *tag)
{
    for (unsigned i = 0; i < CRYPTO_ABYTES; i += 4) {
        store32_le(tag + i, masked_word_combine(&state->s.lane[i / 4]));
    }
}

int aead_verify(const aead_state *state, const uint8_t *tag)
{
    uint8_t expected[CRYPTO_ABYTES];

    aead_tag(state, expected);
    return compare_constant_time(expected, tag, sizeof expected);
}
