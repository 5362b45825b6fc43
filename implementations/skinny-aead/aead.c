/*
 * SKINNY-AEAD M1 to M6: the mode Theta-CB3 over SKINNY-128-384 or (M5, M6) SKINNY-128-256.
 *
 * References: C. Beierle, J. Jean, S. Kölbl, G. Leander, A. Moradi, T. Peyrin, Y. Sasaki,
 * P. Sasdrich, S. M. Sim, "SKINNY-AEAD and SKINNY-Hash v1.1" (submission to NIST's lightweight
 * cryptography project, round 2, 2019), section 2; same names.
 *
 * TK1 is a counter, an LFSR of 64 bits, followed by the domain; TK2 is the nonce, TK3 the key. In
 * M5 and M6, TK1 is a counter of 24 bits, the domain and the nonce; TK2 is the key. That counter
 * has 2^24 - 1 values: see aead_state.h.
 */
#include "aead_state.h"
#include "api.h"
#include "bytes.h"
#include "secret.h"

/* d_0, without the bits of the member. */
enum {
    MESSAGE = 0,
    PARTIAL_MESSAGE = 1,
    AD = 2,
    PARTIAL_AD = 3,
    TAG = 4,
    TAG_AFTER_PARTIAL = 5,
};

const uint16_t aead_state_bytes = sizeof(aead_state);
const uint16_t aead_block_bytes = 16;

#if SKINNY128_TWEAKEYS == 3
#define COUNTER_BYTES 8
#else
#define COUNTER_BYTES 3
#endif

/* Sets another domain in the schedule, or in the half passed with each block. */
static void set_domain(aead_state *state, uint8_t domain)
{
#if SKINNY128_TWEAKEYS == 2
    state->lfsr[3] = SKINNY_AEAD_MEMBER | domain;
#else
    uint8_t upper[8] = {0};

    if (domain != state->domain) {
        upper[7] = domain ^ state->domain;
        skinny128_add_tk1_upper(&state->schedule, upper);
        state->domain = domain;
    }
#endif
}

/* The counter begins at 1. */
static void reset(aead_state *state)
{
    zero_bytes(state->lfsr, COUNTER_BYTES);
    state->lfsr[0] = 1;
}

/* The next counter: doubled in GF(2^64), or GF(2^24) with the same lower terms. */
static void count(aead_state *state)
{
    uint8_t *const l = state->lfsr;
    const uint8_t carry = (uint8_t)(0 - (l[COUNTER_BYTES - 1] >> 7));

    for (uint8_t i = COUNTER_BYTES - 1; i != 0; i--) {
        l[i] = (uint8_t)((unsigned)l[i] << 1 | l[i - 1] >> 7);
    }
    l[0] = (uint8_t)((unsigned)l[0] << 1 ^ (carry & 0x1b));
}

/* to += from, `length` bytes. */
static void add(uint8_t *to, const uint8_t *from, uint8_t length)
{
    for (; length != 0; length--) {
        *to++ ^= *from++;
    }
}

void aead_init(aead_state *state, const uint8_t *key, const uint8_t *nonce)
{
#if SKINNY128_TWEAKEYS == 2
    skinny128_set_key(&state->schedule, key);
    copy_bytes(state->lfsr + 4, nonce, 4);
    skinny128_add_tk1_upper(&state->schedule, nonce + 4);
    set_domain(state, AD);
#else
    uint8_t tk[16] = {0};

    copy_bytes(tk, nonce, CRYPTO_NPUBBYTES);
    skinny128_set_key_tk2(&state->schedule, key, tk);
    zero_bytes(tk, 8);
    tk[7] = SKINNY_AEAD_MEMBER | AD;
    skinny128_add_tk1_upper(&state->schedule, tk);
    state->domain = AD;
#endif
    zero_bytes(state->auth, 16);
    zero_bytes(state->sum, 16);
    reset(state);
    state->message = state->partial = 0;
}

/* Auth += E_K(block) for each block. */
void aead_ad(aead_state *state, const uint8_t *ad, size_t length)
{
    while (length != 0) {
        const uint8_t n = length < 16 ? (uint8_t)length : 16;
        uint8_t block[16] = {0};

        copy_bytes(block, ad, n);
        if (n != 16) {
            block[n] = 0x80;
            set_domain(state, PARTIAL_AD);
        }
        skinny128_encrypt(&state->schedule, state->lfsr, block);
        add(state->auth, block, 16);
        count(state);
        ad += n;
        length -= n;
    }
}

/* Ends the associated data unless already ended. */
static void begin_message(aead_state *state)
{
    if (!state->message) {
        reset(state);
        state->message = 1;
    }
}

/* Encrypts `length` bytes, or decrypts them if `decrypt` is not 0. */
static void crypt(aead_state *state, uint8_t *output, const uint8_t *input, size_t length,
                  uint8_t decrypt)
{
    begin_message(state);
    for (; length >= 16; length -= 16) {
        uint8_t block[16];

        set_domain(state, MESSAGE);
        copy_bytes(block, input, 16);
        if (decrypt) {
            skinny128_decrypt(&state->schedule, state->lfsr, block);
            add(state->sum, block, 16);
        } else {
            add(state->sum, block, 16);
            skinny128_encrypt(&state->schedule, state->lfsr, block);
        }
        copy_bytes(output, block, 16);
        count(state);
        input += 16;
        output += 16;
    }
    if (length != 0) {
        const uint8_t n = (uint8_t)length;
        uint8_t stream[16] = {0};

        set_domain(state, PARTIAL_MESSAGE);
        skinny128_encrypt(&state->schedule, state->lfsr, stream);
        for (uint8_t i = 0; i < n; i++) {
            const uint8_t in = input[i], out = in ^ stream[i];
            const uint8_t message = decrypt ? out : in;

            output[i] = out;
            state->sum[i] ^= message;
        }
        state->sum[n] ^= 0x80;
        state->partial = 1;
        count(state);
    }
}

void aead_encrypt(aead_state *state, uint8_t *ciphertext, const uint8_t *plaintext, size_t length)
{
    crypt(state, ciphertext, plaintext, length, 0);
}

void aead_decrypt(aead_state *state, uint8_t *plaintext, const uint8_t *ciphertext, size_t length)
{
    crypt(state, plaintext, ciphertext, length, 1);
}

/* The tag is the beginning of E_K(sum) + Auth. */
void aead_finalize(aead_state *state)
{
    begin_message(state);
    set_domain(state, state->partial ? TAG_AFTER_PARTIAL : TAG);
    skinny128_encrypt(&state->schedule, state->lfsr, state->sum);
    add(state->auth, state->sum, 16);
}

void aead_tag(const aead_state *state, uint8_t *tag)
{
    copy_bytes(tag, state->auth, CRYPTO_ABYTES);
}

int aead_verify(const aead_state *state, const uint8_t *tag)
{
    return compare_constant_time(state->auth, tag, CRYPTO_ABYTES);
}
