/*
 * AEGIS-128L with a tag of 128 bits.
 *
 * References: H. Wu, B. Preneel, "AEGIS: A Fast Authenticated Encryption Algorithm (v1.1)" (2016),
 * sections 2 and 5; F. Denis, S. Lucas, "The AEGIS Family of Authenticated Encryption Algorithms",
 * draft-irtf-cfrg-aegis-aead (2025), section 4; names as in the latter.
 *
 * "pair.h" and "round.c" are the representation that the implementation chose; see aegis.h.
 */
#include "aead_state.h"
#include "bytes.h"
#include "flash.h"
#include "inline.h"
#include "secret.h"

/* The bytes that one update absorbs. */
#define RATE 32

const uint16_t aead_state_bytes = sizeof(aead_state);
const uint16_t aead_block_bytes = RATE;

/* C0, then C1: the Fibonacci sequence modulo 256. */
static const uint8_t C[32] IN_FLASH = {
    0x00, 0x01, 0x01, 0x02, 0x03, 0x05, 0x08, 0x0d, 0x15, 0x22, 0x37, 0x59, 0x90, 0xe9, 0x79, 0x62,
    0xdb, 0x3d, 0x18, 0x55, 0x6d, 0xc2, 0x2f, 0xf1, 0x20, 0x11, 0x31, 0x42, 0x73, 0xb5, 0x28, 0xdd,
};

/* sum += pair. */
static void add(aegis_pair *sum, const aegis_pair *pair)
{
    for (uint8_t i = 0; i < AEGIS_UNITS; i++) {
        sum->unit[i] ^= pair->unit[i];
    }
}

/* Update(M0, M1), M0 and M1 being the blocks of `m`. */
NEVER_INLINE void update(aead_state *state, const aegis_pair *m)
{
    aegis_pair *const s = state->s;
    aegis_pair last = s[3];

    aegis_round(&s[3], &s[2]);
    aegis_round(&s[2], &s[1]);
    aegis_round(&s[1], &s[0]);
    aegis_swap(&last);
    aegis_round(&s[0], &last);
    add(&s[0], m);
}

/* The pair of the block with the 16 bytes `first` and the block at `second`.
 */
static void set(aegis_pair *pair, const uint8_t *first, const uint8_t *second)
{
    copy_bytes(pair->byte, first, 16);
    copy_bytes(pair->byte + 16, second, 16);
    aegis_pack(pair);
}

void aead_init(aead_state *state, const uint8_t *key, const uint8_t *nonce)
{
    aegis_pair *const s = state->s;
    aegis_pair m;
    uint8_t c[32];

    for (uint8_t i = 0; i < 32; i++) {
        c[i] = flash_u8(&C[i]);
    }
    set(&m, key, key);
    set(&s[0], nonce, nonce); /* S0 = S4 = key ^ nonce */
    add(&s[0], &m);
    set(&s[1], c + 16, c); /* C1, key ^ C0: the key follows */
    set(&s[2], c, c + 16); /* C0, key ^ C1 */
    set(&s[3], c + 16, c); /* C1, key ^ C0: the key follows */
    zero_bytes(m.byte, 16);
    copy_bytes(m.byte + 16, key, 16);
    aegis_pack(&m);
    add(&s[1], &m);
    add(&s[2], &m);
    add(&s[3], &m);
    set(&m, nonce, key);
    for (uint8_t i = 0; i < 10; i++) {
        update(state, &m);
    }
    state->ad = state->message = 0;
}

void aead_ad(aead_state *state, const uint8_t *ad, size_t length)
{
    aegis_pair m;

    state->ad += length;
    while (length != 0) {
        const uint8_t n = length < RATE ? (uint8_t)length : RATE;

        copy_bytes(m.byte, ad, n);
        zero_bytes(m.byte + n, (uint8_t)(RATE - n));
        aegis_pack(&m);
        update(state, &m);
        ad += n;
        length -= n;
    }
}

/* z = the key stream of the next two blocks: S6 ^ S1 ^ (S2 & S3), S2 ^ S5 ^ (S6 & S7). */
static void stream(aegis_pair *z, const aead_state *state)
{
    const aegis_pair *const s = state->s;

    *z = s[2];
    aegis_swap(z);
    for (uint8_t i = 0; i < AEGIS_UNITS; i++) {
        z->unit[i] ^= s[1].unit[i] ^ (s[2].unit[i] & s[3].unit[i]);
    }
    aegis_unpack(z);
}

/* output = input ^ key stream; the message, which is the output if `decrypt` is 0xff and the input
 * if it is 0, enters the state. */
static void crypt(aead_state *state, uint8_t *output, const uint8_t *input, size_t length,
                  uint8_t decrypt)
{
    aegis_pair m;

    state->message += length;
    while (length != 0) {
        const uint8_t n = length < RATE ? (uint8_t)length : RATE;

        stream(&m, state);
        for (uint8_t i = 0; i < n; i++) {
            const uint8_t in = *input++, z = m.byte[i];

            *output++ = in ^ z;
            m.byte[i] = in ^ (z & decrypt);
        }
        zero_bytes(m.byte + n, (uint8_t)(RATE - n));
        aegis_pack(&m);
        update(state, &m);
        length -= n;
    }
}

void aead_encrypt(aead_state *state, uint8_t *ciphertext, const uint8_t *plaintext, size_t length)
{
    crypt(state, ciphertext, plaintext, length, 0);
}

void aead_decrypt(aead_state *state, uint8_t *plaintext, const uint8_t *ciphertext, size_t length)
{
    crypt(state, plaintext, ciphertext, length, 0xff);
}

/* Seven updates with S2 plus the lengths in bits; the tag is the sum of S0 to S6. */
void aead_finalize(aead_state *state)
{
    aegis_pair *const s = state->s;
    aegis_pair t = s[2];
    uint64_t ad = state->ad << 3, message = state->message << 3;

    aegis_unpack(&t);
    for (uint8_t i = 0; i < 8; i++) {
        t.byte[i] ^= (uint8_t)ad;
        t.byte[8 + i] ^= (uint8_t)message;
        ad >>= 8;
        message >>= 8;
    }
    copy_bytes(t.byte + 16, t.byte, 16);
    aegis_pack(&t);
    for (uint8_t i = 0; i < 7; i++) {
        update(state, &t);
    }
    t = s[3];
    aegis_unpack(&t);
    add(&s[0], &s[1]);
    add(&s[0], &s[2]);
    aegis_unpack(&s[0]);
    for (uint8_t i = 0; i < 16; i++) {
        state->tag[i] = s[0].byte[i] ^ s[0].byte[16 + i] ^ t.byte[i];
    }
}

void aead_tag(const aead_state *state, uint8_t *tag)
{
    copy_bytes(tag, state->tag, 16);
}

int aead_verify(const aead_state *state, const uint8_t *tag)
{
    return compare_constant_time(state->tag, tag, 16);
}
