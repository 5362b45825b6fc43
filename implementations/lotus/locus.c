/*
 * LOCUS-AEAD: how it encrypts messages, like OCB, with the sum between two encryptions.
 *
 * References: A. Chakraborti, N. Datta, A. Jha, C. Mancillas Lopez, M. Nandi, Y. Sasaki,
 * "LOTUS-AEAD and LOCUS-AEAD" (submission to NIST's lightweight cryptography project, round 2,
 * 2019), section 3; same names.
 */
#include "bytes.h"
#include "lotus.h"
#include "tweak_code.h"

/* Tweaks. */
enum {
    MESSAGE = 4,
    LAST = 5,
};

void lotus_crypt(lotus *s, uint8_t *output, const uint8_t *input, size_t length, uint8_t decrypt)
{
    uint8_t block[LOTUS_BLOCK];

    lotus_next_key(s);
    for (; length > LOTUS_BLOCK; length -= LOTUS_BLOCK) {
        copy_bytes(block, input, LOTUS_BLOCK);
        lotus_add(block, s->delta);
        for (uint8_t i = 0; i < 2; i++) {
            twegift64_block slices;

            twegift64_load(&slices, block);
            if (decrypt) {
                twegift64_decrypt(&slices, s->l, tweak_code(MESSAGE));
            } else {
                twegift64_encrypt(&slices, s->l, tweak_code(MESSAGE));
            }
            twegift64_store(block, &slices);
            if (i == 0) {
                lotus_add(s->sum, block);
            }
        }
        lotus_add(block, s->delta);
        copy_bytes(output, block, LOTUS_BLOCK);
        input += LOTUS_BLOCK;
        output += LOTUS_BLOCK;
        lotus_next_key(s);
    }
    copy_bytes(block, s->delta, LOTUS_BLOCK);
    block[0] ^= (uint8_t)length;
    lotus_encrypt(s, block, LAST);
    lotus_add(s->sum, block);
    lotus_encrypt(s, block, LAST);
    lotus_add(block, s->delta);
    for (uint8_t i = 0; i < (uint8_t)length; i++) {
        const uint8_t in = input[i], out = in ^ block[i];

        s->sum[i] ^= (uint8_t)(decrypt ? out : in);
        output[i] = out;
    }
}
