/*
 * Spook, version 1: the mode S1P.
 *
 * References: D. Bellizia, F. Berti, O. Bronchain, G. Cassiers, S. Duval, C. Guo, G. Leander, G.
 * Leurent, I. Levi, C. Momin, O. Pereira, T. Peters, F.-X. Standaert, F. Wiemer, "Spook"
 * (submission to NIST's lightweight cryptography project, round 2, 2019), section 2; same
 * names.
 *
 * The multi-user members have a public part P of 126 bits in the second half of the key. The tag is
 * verified by recomputing it; the specification, against leakage of the comparison, inverts the
 * cipher instead, with the same result.
 */
#include "aead_state.h"
#include "api.h"
#include "bytes.h"
#include "secret.h"

enum { RATE = SHADOW_BYTES - 32 };

enum {
    ABSORB,
    ENCRYPT,
    DECRYPT,
};

/* The constants for the first byte of the capacity. */
enum {
    MESSAGE = 1,
    PARTIAL = 2,
};

const uint16_t aead_state_bytes = sizeof(aead_state);
const uint16_t aead_block_bytes = RATE;

void aead_init(aead_state *state, const uint8_t *key, const uint8_t *nonce)
{
    uint8_t *const x = state->x;

    zero_bytes(x, SHADOW_BYTES);
#if CRYPTO_KEYBYTES == 32
    copy_bytes(x, key + 16, 16);
    x[15] = (uint8_t)((x[15] & 0x3f) | 0x40);
#endif
    copy_bytes(x + 16, nonce, 16);
    clyde_encrypt(x + SHADOW_BYTES - 16, nonce, x, key);
    shadow_permute(x);
    copy_bytes(state->key, key, 16);
    state->message = 0;
}

/* Processes `length` bytes. */
static void take(aead_state *state, uint8_t *output, const uint8_t *input, size_t length,
                 uint8_t direction)
{
    if (length != 0 && direction != ABSORB && !state->message) {
        state->x[RATE] ^= MESSAGE;
        state->message = 1;
    }
    while (length != 0) {
        const uint8_t n = length < RATE ? (uint8_t)length : RATE;

        for (uint8_t i = 0; i < n; i++) {
            const uint8_t in = *input++, sum = in ^ state->x[i];

            state->x[i] = direction == DECRYPT ? in : sum;
            if (direction != ABSORB) {
                *output++ = sum;
            }
        }
        if (n != RATE) {
            state->x[n] ^= 0x01;
            state->x[RATE] ^= PARTIAL;
        }
        shadow_permute(state->x);
        length -= n;
    }
}

void aead_ad(aead_state *state, const uint8_t *ad, size_t length)
{
    take(state, NULL, ad, length, ABSORB);
}

void aead_encrypt(aead_state *state, uint8_t *ciphertext, const uint8_t *plaintext, size_t length)
{
    take(state, ciphertext, plaintext, length, ENCRYPT);
}

void aead_decrypt(aead_state *state, uint8_t *plaintext, const uint8_t *ciphertext, size_t length)
{
    take(state, plaintext, ciphertext, length, DECRYPT);
}

/* The first 16 bytes of the state, encrypted under the next as a tweak. */
void aead_finalize(aead_state *state)
{
    state->x[31] |= 0x80;
    clyde_encrypt(state->tag, state->x, state->x + 16, state->key);
}

void aead_tag(const aead_state *state, uint8_t *tag)
{
    copy_bytes(tag, state->tag, CRYPTO_ABYTES);
}

int aead_verify(const aead_state *state, const uint8_t *tag)
{
    return compare_constant_time(state->tag, tag, CRYPTO_ABYTES);
}
