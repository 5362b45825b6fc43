/* Known-answer test of the functions in hash.h, in pieces of several sizes. Exit status 0: all
 * passed. */
#include "../api.h"
#include "../hash.h"
#include "hex.h"
#include "known_answers.h"

static unsigned char message[LONGEST], digest[LONGEST], output[LONGEST + CRYPTO_BYTES];
static hash_state *state;

static void begin(const struct known_answer *each)
{
#if CUSTOMISED
    static unsigned char custom[LONGEST];
    const size_t length = read_hex(custom, each->custom);

    if (length > 0) {
        hash_init_custom(state, custom, length);
        return;
    }
#else
    (void)each;
#endif
    hash_init(state);
}

/* Absorbs the message in pieces of `piece` bytes, and squeezes an XOF's further output in such
 * pieces. */
static void test(const struct known_answer *each, size_t piece)
{
    const size_t length = read_hex(message, each->message);
    size_t known = read_hex(digest, each->digest);
    size_t size;

    begin(each);
    for (size_t at = 0; at < length; at += size) {
        size = length - at < piece ? length - at : piece;
        hash_update(state, message + at, size);
    }
    hash_final(state, output);
#if SQUEEZES
    for (size_t at = CRYPTO_BYTES; at < known; at += size) {
        size = known - at < piece ? known - at : piece;
        hash_squeeze(state, output + at, size);
    }
#else
    if (known > CRYPTO_BYTES) {
        known = CRYPTO_BYTES;
    }
#endif
    check(memcmp(output, digest, known) == 0, "wrong digest", each->source);
}

int main(void)
{
    static const size_t pieces[] = {1, 7, LONGEST};

    state = malloc(hash_state_bytes);
    check(state != NULL, "malloc failed", "no record");
    for (size_t i = 0; i < ANSWERS; i++) {
        for (size_t j = 0; j < sizeof pieces / sizeof *pieces; j++) {
            test(&known_answers[i], pieces[j]);
        }
    }
    free(state);
    printf("incremental: %zu known answers passed\n", ANSWERS);
    return 0;
}
