/* Known-answer test of the functions in mac.h, in pieces of several sizes. Exit status 0: all
 * passed. */
#include "../api.h"
#include "../mac.h"
#include "hex.h"
#include "known_answers.h"

static unsigned char key[LONGEST], message[LONGEST], tag[LONGEST], output[CRYPTO_BYTES];
static mac_state *state, *keyed;

static void begin(const struct known_answer *each)
{
#if CUSTOMISED
    static unsigned char custom[LONGEST];
    const size_t length = read_hex(custom, each->custom);

    if (length > 0) {
        mac_init_custom(state, key, custom, length);
        return;
    }
#else
    (void)each;
#endif
#if KEY_SETUP
    mac_set_key(keyed, key);
    memcpy(state, keyed, mac_state_bytes);
    mac_start(state, key);
#else
    mac_init(state, key);
#endif
}

static void test(const struct known_answer *each, size_t piece)
{
    const size_t length = read_hex(message, each->message);
    size_t size;

    read_hex(key, each->key);
    read_hex(tag, each->tag);
    begin(each);
    for (size_t at = 0; at < length; at += size) {
        size = length - at < piece ? length - at : piece;
        mac_update(state, message + at, size);
    }
    mac_finalize(state);
    check((mac_verify(state, tag) == 0) == each->valid, "wrong verdict on a tag", each->source);
    mac_tag(state, output);
    check((memcmp(output, tag, CRYPTO_BYTES) == 0) == each->valid, "wrong tag", each->source);
    tag[0] ^= 1;
    check(!each->valid || mac_verify(state, tag) != 0, "a forgery was accepted", each->source);
}

int main(void)
{
    static const size_t pieces[] = {1, 7, LONGEST};

    state = malloc(mac_state_bytes);
    keyed = malloc(mac_state_bytes);
    check(state != NULL && keyed != NULL, "malloc failed", "no record");
    for (size_t i = 0; i < ANSWERS; i++) {
        for (size_t j = 0; j < sizeof pieces / sizeof *pieces; j++) {
            test(&known_answers[i], pieces[j]);
        }
    }
    free(state);
    free(keyed);
    printf("incremental: %zu known answers passed\n", ANSWERS);
    return 0;
}
