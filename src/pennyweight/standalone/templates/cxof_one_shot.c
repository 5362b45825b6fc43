/* Known-answer test of crypto_cxof. Exit status 0: all passed. */
#include "../one_shot.h"
#include "hex.h"
#include "known_answers.h"

static unsigned char message[LONGEST], custom[LONGEST], digest[LONGEST], output[LONGEST];

int main(void)
{
    for (size_t i = 0; i < ANSWERS; i++) {
        const struct known_answer *each = &known_answers[i];
        const size_t length = read_hex(message, each->message);
        const size_t custom_length = read_hex(custom, each->custom);
        const size_t known = read_hex(digest, each->digest);

        check(crypto_cxof(output, known, message, length, custom, custom_length) == 0,
              "hashing failed", each->source);
        check(memcmp(output, digest, known) == 0, "wrong output", each->source);
    }
    printf("one-shot: %zu known answers passed\n", ANSWERS);
    return 0;
}
