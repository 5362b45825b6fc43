/*
 * Runs Ketje's sources on sessions of messages, which continue one state. Reads requests from
 * standard input and answers each with one line:
 *
 *   session KEY NONCE     "begun"
 *   wrap AD MESSAGE SIZE  the ciphertext and a tag of SIZE bytes
 *
 * The sources support one size of key, nonce and tag, and one message per key and nonce; this
 * program includes them with variables instead of the sizes. The runner's "api.h" gives the longest
 * tag. Each wrapped message is unwrapped in a separate session, block by block, also with a wrong
 * bit in the tag. If the message differs, or a tag is wrongly accepted or rejected, the answer
 * starts with "differs".
 */
#include "aead_state.h"
#include "lines.h"

static uint8_t key_bytes, nonce_bytes, tag_bytes;

enum { LONGEST_TAG = CRYPTO_ABYTES };

#undef CRYPTO_KEYBYTES
#undef CRYPTO_NPUBBYTES
#undef CRYPTO_ABYTES
#define CRYPTO_KEYBYTES key_bytes
#define CRYPTO_NPUBBYTES nonce_bytes
#define CRYPTO_ABYTES tag_bytes
#include "aead.c"

static aead_state sender, receiver;

static void begin_session(const bytes *key, const bytes *nonce)
{
    key_bytes = (uint8_t)key->length;
    nonce_bytes = (uint8_t)nonce->length;
    aead_init(&sender, key->data, nonce->data);
    aead_init(&receiver, key->data, nonce->data);
}

/* Prepares for the session's next message: no bytes absorbed; the rest of the state stays. */
static void begin_next(aead_state *state)
{
    state->taken = 0;
    state->message = 0;
}

/* Returns NULL, or an error if unwrapping the ciphertext and tag at `c` fails. */
static const char *unwrap(const bytes *ad, const bytes *message, const bytes *c)
{
    bytes output = bytes_copy(c->data, message->length, 0);
    const uint8_t *tag = c->data + message->length;
    const char *differs = NULL;

    begin_next(&receiver);
    for (size_t at = 0; at < ad->length; at += aead_block_bytes) {
        const size_t n = ad->length - at;
        aead_ad(&receiver, ad->data + at, n < aead_block_bytes ? n : aead_block_bytes);
    }
    for (size_t at = 0; at < output.length; at += aead_block_bytes) {
        const size_t n = output.length - at;
        aead_decrypt(&receiver, output.data + at, output.data + at,
                     n < aead_block_bytes ? n : aead_block_bytes);
    }
    aead_finalize(&receiver);
    if (output.length != 0 && memcmp(output.data, message->data, output.length) != 0) {
        differs = "the message unwrapped";
    }
    if (aead_verify(&receiver, tag) != 0) {
        differs = "the right tag is rejected";
    }
    if (tag_bytes != 0) {
        bytes wrong = bytes_copy(tag, tag_bytes, 0);
        wrong.data[tag_bytes - 1] ^= 0x80;
        if (aead_verify(&receiver, wrong.data) != -1) {
            differs = "a wrong tag is accepted";
        }
        bytes_free(wrong);
    }
    bytes_free(output);
    return differs;
}

static void answer_wrap(const bytes *ad, const bytes *message)
{
    bytes c = bytes_new(message->length + tag_bytes, 0);

    begin_next(&sender);
    aead_ad(&sender, ad->data, ad->length);
    aead_encrypt(&sender, c.data, message->data, message->length);
    aead_finalize(&sender);
    aead_tag(&sender, c.data + message->length);

    const char *differs = unwrap(ad, message, &c);
    if (differs != NULL) {
        printf("differs: %s\n", differs);
    } else {
        bytes_print(c.data, c.length);
    }
    bytes_free(c);
}

int main(void)
{
    char *fields[4];
    size_t count;

    while ((count = next_line(fields, 4)) != 0) {
        const int wraps = strcmp(fields[0], "wrap") == 0;
        if (count != (wraps ? 4 : 3)) {
            fputs("wrong number of fields\n", stderr);
            return 1;
        }
        bytes first = bytes_parse(fields[1]), second = bytes_parse(fields[2]);
        if (wraps) {
            const unsigned long size = strtoul(fields[3], NULL, 10);
            if (size > LONGEST_TAG) {
                fputs("a tag longer than api.h has\n", stderr);
                return 1;
            }
            tag_bytes = (uint8_t)size;
            answer_wrap(&first, &second);
        } else if (first.length + second.length + 3 > KETJE_BYTES) {
            fputs("key and nonce too long\n", stderr);
            return 1;
        } else {
            begin_session(&first, &second);
            puts("begun");
        }
        bytes_free(first);
        bytes_free(second);
    }
    return 0;
}
