/*
 * SipHash-2-4 with an output of 64 or 128 bits, optimised for code size.
 *
 * References: J.-P. Aumasson, D. J. Bernstein, "SipHash: a fast short-input PRF", INDOCRYPT 2012,
 * section 2; same names. The variant of 128 bits is that of the designers' reference code
 * (https://github.com/veorq/SipHash).
 *
 * "api.h" gives CRYPTO_BYTES: 8 or 16.
 *
 * A SipRound repeats the same steps (a sum, a rotation and an XOR) four times with other words and
 * amounts: one function. Bytes are moved and added one by one.
 */
#include "flash.h"
#include "inline.h"
#include "mac_state.h"
#include "mix.h"

const uint16_t mac_state_bytes = sizeof(mac_state);

/* The position of byte i of the words v, each with its least significant byte first. */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define BYTE(i) ((i) ^ 7)
#else
#define BYTE(i) (i)
#endif

/* The initial words of v, byte by byte. */
static const uint8_t INITIAL[32] IN_FLASH = {
    'u', 'e', 's', 'p', 'e', 'm', 'o', 's', 'm', 'o', 'd', 'n', 'a', 'r', 'o', 'd',
    'a', 'r', 'e', 'n', 'e', 'g', 'y', 'l', 's', 'e', 't', 'y', 'b', 'd', 'e', 't',
};

/* SipRound, `rounds` times. Its second half is the first one with v_0 and v_2 exchanged, and other
 * rotations. */
static void sip_rounds(sip_word v[4], uint8_t rounds)
{
    uint8_t i = 0;

    do {
        sip_word *const a = v + i;
        uint32_t half;

        mix(a, v + 1, (int8_t)(2 * i - 3));
        half = a->half[0];
        a->half[0] = a->half[1];
        a->half[1] = half;
        mix(v + (i ^ 2), v + 3, i == 0 ? 0 : 5);
        i ^= 2;
    } while (i != 0 || --rounds != 0);
}

/* word ^= the 8 bytes. */
NEVER_INLINE void add_block(sip_word *to, const uint8_t *bytes)
{
    for (uint8_t i = 0; i < 8; i++) {
        to->byte[BYTE(i)] ^= bytes[i];
    }
}

/* Absorbs a word m_i of the message, stored where the tag will be: c = 2 rounds. */
NEVER_INLINE void compress(mac_state *state)
{
    add_block(state->v + 3, state->tag);
    sip_rounds(state->v, 2);
    add_block(state->v, state->tag);
}

void mac_init(mac_state *state, const uint8_t *key)
{
    uint8_t *const v = (uint8_t *)state->v;

    for (uint8_t i = 0; i < 32; i++) {
        v[BYTE(i)] = flash_u8(INITIAL + i) ^ key[i & 15];
    }
    if (CRYPTO_BYTES == 16) {
        v[BYTE(8)] ^= 0xee;
    }
    state->length = 0;
}

void mac_update(mac_state *state, const uint8_t *message, size_t length)
{
    for (; length != 0; length--) {
        state->tag[state->length++ & 7] = *message++;
        if ((state->length & 7) == 0) {
            compress(state);
        }
    }
}

/* Half of the output: d = 4 rounds, and then the sum of the v. */
static void output(mac_state *state, uint8_t *half)
{
    const uint8_t *const v = (const uint8_t *)state->v;

    sip_rounds(state->v, 4);
    for (uint8_t i = 0; i < 8; i++) {
        half[i] = v[BYTE(i)] ^ v[BYTE(i + 8)] ^ v[BYTE(i + 16)] ^ v[BYTE(i + 24)];
    }
}

void mac_finalize(mac_state *state)
{
    for (uint8_t i = state->length & 7; i < 7; i++) {
        state->tag[i] = 0;
    }
    state->tag[7] = state->length;
    compress(state);
    ((uint8_t *)state->v)[BYTE(16)] ^= CRYPTO_BYTES == 16 ? 0xee : 0xff;
    output(state, state->tag);
#if CRYPTO_BYTES == 16
    ((uint8_t *)state->v)[BYTE(8)] ^= 0xdd;
    output(state, state->tag + 8);
#endif
}
