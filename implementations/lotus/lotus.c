/*
 * LOTUS-AEAD: how it encrypts messages, two blocks at a time, like OTR, without decryption.
 *
 * References: A. Chakraborti, N. Datta, A. Jha, C. Mancillas Lopez, M. Nandi, Y. Sasaki,
 * "LOTUS-AEAD and LOCUS-AEAD" (submission to NIST's lightweight cryptography project, round 2,
 * 2019), section 3; same names.
 */
#include "lotus.h"

#include "bytes.h"

/* Tweaks. */
enum {
    FIRST = 4,
    SECOND = 5,
    LAST_FIRST = 12,
    LAST_SECOND = 13,
};

/* Encrypts `block` twice; its value between the two is added to the sum. */
static void encrypt_twice(lotus *s, uint8_t *block, uint8_t tweak)
{
    lotus_encrypt(s, block, tweak);
    lotus_add(s->sum, block);
    lotus_encrypt(s, block, tweak);
}

/* Any pair of blocks except the last: one step of a Feistel network per block, in the inverse order
 * for decryption. `first` and `second` are its tweaks. */
static void crypt_pair(lotus *s, uint8_t *output, const uint8_t *input, uint8_t first,
                       uint8_t second)
{
    uint8_t x0[LOTUS_BLOCK], x1[LOTUS_BLOCK], y[LOTUS_BLOCK];

    copy_bytes(x0, input, LOTUS_BLOCK);
    copy_bytes(x1, input + LOTUS_BLOCK, LOTUS_BLOCK);
    lotus_add(x0, s->delta);
    copy_bytes(y, x0, LOTUS_BLOCK);
    encrypt_twice(s, y, first);
    lotus_add(x1, y);
    copy_bytes(y, x1, LOTUS_BLOCK);
    encrypt_twice(s, y, second);
    lotus_add(x1, s->delta);
    lotus_add(x0, y);
    copy_bytes(output, x1, LOTUS_BLOCK);
    copy_bytes(output + LOTUS_BLOCK, x0, LOTUS_BLOCK);
}

/* output = input + stream, n bytes; adds the message to the sum if it is the last block. */
static void add_stream(lotus *s, uint8_t *output, const uint8_t *input, const uint8_t *stream,
                       uint8_t n, uint8_t decrypt, uint8_t last)
{
    for (uint8_t i = 0; i < n; i++) {
        const uint8_t in = input[i], out = in ^ stream[i];

        if (last) {
            s->sum[i] ^= (uint8_t)(decrypt ? out : in);
        }
        output[i] = out;
    }
}

void lotus_crypt(lotus *s, uint8_t *output, const uint8_t *input, size_t length, uint8_t decrypt)
{
    uint8_t x[LOTUS_BLOCK], y[LOTUS_BLOCK];

    lotus_next_key(s);
    for (; length > 2 * LOTUS_BLOCK; length -= 2 * LOTUS_BLOCK) {
        crypt_pair(s, output, input, decrypt ? SECOND : FIRST, decrypt ? FIRST : SECOND);
        input += 2 * LOTUS_BLOCK;
        output += 2 * LOTUS_BLOCK;
        lotus_next_key(s);
    }
    /* The last pair, which may be partial. */
    copy_bytes(x, s->delta, LOTUS_BLOCK);
    x[0] ^= (uint8_t)length;
    copy_bytes(y, x, LOTUS_BLOCK);
    encrypt_twice(s, y, LAST_FIRST);
    lotus_add(y, s->delta);
    if (length <= LOTUS_BLOCK) {
        add_stream(s, output, input, y, (uint8_t)length, decrypt, 1);
        return;
    }
    {
        uint8_t ciphertext[LOTUS_BLOCK];

        copy_bytes(ciphertext, input, LOTUS_BLOCK);
        add_stream(s, output, input, y, LOTUS_BLOCK, decrypt, 0);
        copy_bytes(y, decrypt ? ciphertext : output, LOTUS_BLOCK);
    }
    lotus_add(y, s->delta);
    encrypt_twice(s, y, LAST_SECOND);
    lotus_add(y, x);
    add_stream(s, output + LOTUS_BLOCK, input + LOTUS_BLOCK, y, (uint8_t)(length - LOTUS_BLOCK),
               decrypt, 1);
}
