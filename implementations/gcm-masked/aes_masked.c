/*
 * AES on shares, in bit planes of 32-bit words.
 *
 * References: FIPS 197 (2001, updated 2023), sections 5.1 (Cipher), 5.2 (KeyExpansion); same names.
 * A. Adomnicai, T. Peyrin, "Fixslicing AES-like Ciphers", TCHES 2021(1): semi-fixslicing.
 * ../masked/word32.h for the product. ct32/aes_ct32.c of the family aes explains where the bits
 * are.
 *
 * The S-box has 32 products. All else is linear and applies to each share alone, and {63} and the
 * constants of the key schedule to the first one only. Every factor of a product is a sum of
 * different input bits or contains other random bits than the other factor, so that their shares
 * are independent. The S-box of the key schedule is in sub_word.c.
 */
#include "aes_masked.h"

#include "bytes.h"
#include "layers.h"
#include "order.h"

typedef masked_word aes_plane;

/* x + y */
static inline masked_word sum(masked_word x, const masked_word y)
{
    masked_word_add(&x, &y);
    return x;
}

/* x * y */
static inline masked_word product(const masked_word x, const masked_word y)
{
    masked_word z = masked_word_public(0);

    masked_word_add_product(&z, &x, &y, masked_draw());
    return z;
}

#define AES_XOR(x, y) sum(x, y)
#define AES_AND(x, y) product(x, y)
#include "sbox_circuit.h"

/* The planes of a share. */
typedef uint32_t planes[8];

/* SUBBYTES without {63}. */
static void sub_bytes(planes q[MASKED_SHARES])
{
    masked_word plane[8];

    for (unsigned i = 0; i < 8; i++) {
        for (unsigned j = 0; j < MASKED_SHARES; j++) {
            plane[i].share[j] = q[j][i];
        }
    }
    sub_bytes_without_63(plane);
    for (unsigned i = 0; i < 8; i++) {
        for (unsigned j = 0; j < MASKED_SHARES; j++) {
            q[j][i] = plane[i].share[j];
        }
    }
}

void masked_expand_key(masked_key *key, const uint8_t *bytes)
{
    uint32_t rcon = 1;
    unsigned phase = 0; /* i mod Nk */
    masked_word temp;

    for (unsigned i = 0; i < AES_NK; i++) {
        temp = masked_word_split(load32_le(bytes + 4 * i));
        for (unsigned j = 0; j < MASKED_SHARES; j++) {
            key->share[j].w[i] = temp.share[j];
        }
    }
    for (unsigned i = AES_NK; i < 4 * (AES_NR + 1); i++) {
        for (unsigned j = 0; j < MASKED_SHARES; j++) {
            const uint32_t last = key->share[j].w[i - 1];

            temp.share[j] = phase == 0 ? rotr32(last, 8) : last; /* ROTWORD */
        }
        if (phase == 0 || (AES_NK > 6 && phase == 4)) {
            masked_sub_word(&temp);
        }
        if (phase == 0) {
            temp.share[0] ^= rcon;
            rcon = rcon << 1 ^ (rcon >> 7) * 0x11b;
        }
        for (unsigned j = 0; j < MASKED_SHARES; j++) {
            key->share[j].w[i] = key->share[j].w[i - AES_NK] ^ temp.share[j];
        }
        if (++phase == AES_NK) {
            phase = 0;
        }
    }
    for (unsigned j = 0; j < MASKED_SHARES; j++) {
        for (unsigned n = 0; n <= AES_NR; n++) {
            adapt_round_key(key->share[j].w + 4 * n, n, j == 0 ? 0x63636363 : 0);
        }
    }
}

void masked_encrypt(const masked_key *key, masked_blocks *blocks)
{
    planes q[MASKED_SHARES];

    for (unsigned j = 0; j < MASKED_SHARES; j++) {
        for (unsigned c = 0; c < 4; c++) {
            q[j][2 * c] = little_endian32(blocks->share[j][c]);
            q[j][2 * c + 1] = little_endian32(blocks->share[j][4 + c]);
        }
        transpose(q[j]);
        add_round_key(q[j], key->share[j].w);
    }
    for (unsigned n = 1;; n += 2) {
        sub_bytes(q);
        for (unsigned j = 0; j < MASKED_SHARES; j++) {
            mix_columns_odd(q[j], key->share[j].w + 4 * n);
        }
        sub_bytes(q);
        if (n + 1 == AES_NR) { /* the last round has no MIXCOLUMNS */
            break;
        }
        for (unsigned j = 0; j < MASKED_SHARES; j++) {
            shift_rows_twice(q[j]);
            mix_columns_even(q[j], key->share[j].w + 4 * (n + 1));
        }
    }
    for (unsigned j = 0; j < MASKED_SHARES; j++) {
        shift_rows_twice(q[j]);
        add_round_key(q[j], key->share[j].w + 4 * AES_NR);
        transpose(q[j]);
        for (unsigned c = 0; c < 4; c++) {
            blocks->share[j][c] = little_endian32(q[j][2 * c]);
            blocks->share[j][4 + c] = little_endian32(q[j][2 * c + 1]);
        }
    }
}
