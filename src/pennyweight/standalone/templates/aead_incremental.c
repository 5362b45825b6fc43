/* Known-answer test of the functions in aead.h, in pieces of several sizes. Exit status 0: all
 * passed. */
#include "../aead.h"
#include "../api.h"
#include "hex.h"
#include "known_answers.h"

static unsigned char key[LONGEST], nonce[LONGEST], ad[LONGEST], message[LONGEST], sealed[LONGEST];
static unsigned char output[LONGEST], tag[CRYPTO_ABYTES];
static aead_state *state, *keyed;

static void begin(void)
{
#if KEY_SETUP
    aead_set_key(keyed, key);
    memcpy(state, keyed, aead_state_bytes);
    aead_start(state, nonce);
#else
    aead_init(state, key, nonce);
#endif
}

/* The size of the next piece: `blocks` blocks, or the rest if it is shorter or `blocks` is 0.
 */
static size_t piece(size_t left, size_t blocks)
{
    const size_t size = blocks * aead_block_bytes;

    return size == 0 || size > left ? left : size;
}

static void take_ad(size_t length, size_t blocks)
{
    size_t size;

    for (size_t at = 0; at < length; at += size) {
        size = piece(length - at, blocks);
        aead_ad(state, ad + at, size);
    }
}

static void test(const struct known_answer *each, size_t blocks)
{
    const size_t ad_length = read_hex(ad, each->ad);
    const size_t length = read_hex(sealed, each->sealed) - CRYPTO_ABYTES;
    size_t size;

    read_hex(message, each->message);
    if (each->valid) {
        begin();
        take_ad(ad_length, blocks);
        for (size_t at = 0; at < length; at += size) {
            size = piece(length - at, blocks);
            aead_encrypt(state, output + at, message + at, size);
        }
        aead_finalize(state);
        aead_tag(state, tag);
        check(memcmp(output, sealed, length) == 0, "wrong ciphertext", each->source);
        check(memcmp(tag, sealed + length, CRYPTO_ABYTES) == 0, "wrong tag", each->source);
    }
    begin();
    take_ad(ad_length, blocks);
    for (size_t at = 0; at < length; at += size) {
        size = piece(length - at, blocks);
        aead_decrypt(state, output + at, sealed + at, size);
    }
    aead_finalize(state);
    check((aead_verify(state, sealed + length) == 0) == each->valid, "wrong verdict on a tag",
          each->source);
    if (each->valid) {
        check(memcmp(output, message, length) == 0, "wrong message", each->source);
        sealed[length] ^= 1;
        check(aead_verify(state, sealed + length) != 0, "a forgery was accepted", each->source);
    }
}

int main(void)
{
    size_t tested = 0;

    state = malloc(aead_state_bytes);
    keyed = malloc(aead_state_bytes);
    check(state != NULL && keyed != NULL, "malloc failed", "no record");
    for (size_t i = 0; i < ANSWERS; i++) {
        if (strlen(known_answers[i].sealed) / 2 < CRYPTO_ABYTES) {
            continue; /* shorter than a tag: only the one-shot function accepts it */
        }
        read_hex(key, known_answers[i].key);
        read_hex(nonce, known_answers[i].nonce);
        for (size_t blocks = 0; blocks < 3; blocks++) {
            test(&known_answers[i], blocks);
        }
        tested++;
    }
    free(state);
    free(keyed);
    printf("incremental: %zu known answers passed\n", tested);
    return 0;
}
