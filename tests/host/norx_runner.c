/*
 * Runs NORX's sources on messages with a trailer, which the API does not support. Reads requests
 * from standard input and answers each with one line:
 *
 *   seal KEY NONCE AD MESSAGE TRAILER   the ciphertext with its tag
 *
 * The trailer is absorbed like a header ("NORX v2.0" (2015), section 2), with its own domain.
 */
#include "lines.h"

#include "aead.c"

enum { TRAILER = 0x04 };

static void take_trailer(aead_state *state, const uint8_t *trailer, size_t length)
{
    if (length == 0) {
        return;
    }
    end_ad(state);
    close(state, PAYLOAD);
    for (; length >= RATE; length -= RATE) {
        permute(state, TRAILER);
        take_block(state, NULL, trailer, ABSORB, 0);
        trailer += RATE;
    }
    permute(state, TRAILER);
    take_last(state, NULL, trailer, (uint8_t)length, ABSORB);
}

int main(void)
{
    char *fields[6];
    size_t count;

    while ((count = next_line(fields, 6)) != 0) {
        bytes in[5];
        aead_state state;

        if (count != 6) {
            fputs("a request has six fields\n", stderr);
            return 1;
        }
        for (size_t i = 0; i < 5; i++) {
            in[i] = bytes_parse(fields[1 + i]);
        }
        bytes c = bytes_new(in[3].length + CRYPTO_ABYTES, 0);
        aead_init(&state, in[0].data, in[1].data);
        aead_ad(&state, in[2].data, in[2].length);
        aead_encrypt(&state, c.data, in[3].data, in[3].length);
        take_trailer(&state, in[4].data, in[4].length);
        aead_finalize(&state);
        aead_tag(&state, c.data + in[3].length);
        bytes_print(c.data, c.length);
        bytes_free(c);
        for (size_t i = 0; i < 5; i++) {
            bytes_free(in[i]);
        }
    }
    return 0;
}
