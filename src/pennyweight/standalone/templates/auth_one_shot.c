/* Known-answer test of crypto_auth and crypto_auth_verify. Exit status 0: all passed. */
#include "../api.h"
#include "../one_shot.h"
#include "hex.h"
#include "known_answers.h"

static unsigned char key[LONGEST], message[LONGEST], tag[LONGEST], output[CRYPTO_BYTES];

int main(void)
{
    size_t tested = 0;

    for (size_t i = 0; i < ANSWERS; i++) {
        const struct known_answer *each = &known_answers[i];
        const size_t length = read_hex(message, each->message);

        if (each->custom[0] != '\0') {
            continue; /* only the incremental API takes a customisation string */
        }
        read_hex(key, each->key);
        read_hex(tag, each->tag);
        check((crypto_auth_verify(tag, message, length, key) == 0) == each->valid,
              "wrong verdict on a tag", each->source);
        if (each->valid) {
            check(crypto_auth(output, message, length, key) == 0, "failed", each->source);
            check(memcmp(output, tag, CRYPTO_BYTES) == 0, "wrong tag", each->source);
            for (size_t j = 0; j < CRYPTO_BYTES; j++) {
                tag[j] ^= 1;
                check(crypto_auth_verify(tag, message, length, key) != 0, "a forgery was accepted",
                      each->source);
                tag[j] ^= 1;
            }
        }
        tested++;
    }
    printf("one-shot: %zu known answers passed\n", tested);
    return 0;
}
