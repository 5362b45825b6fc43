/*
 * libFuzzer's target for a MAC implementation. The input is the number of a bit to change (two
 * bytes), key, tag, and the message (the rest).
 *
 * Checks the tag of the input, then the right tag, the right tag with one bit changed, and the
 * right tag with the same bit of two bytes changed. Each buffer is a block of memory of exactly its
 * size.
 */
#include "api.h"
#include "crypto_auth.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int accepted(const bytes *tag, const bytes *m, const bytes *key)
{
    const int status = crypto_auth_verify(tag->data, m->data, m->length, key->data);

    must(status == 0 || status == -1, "verification returns 0 or -1");
    return status == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const size_t high = take_byte(&data, &size), low = take_byte(&data, &size);
    bytes key = take(&data, &size, CRYPTO_KEYBYTES);
    bytes given = take(&data, &size, CRYPTO_BYTES);
    bytes m = take(&data, &size, size);
    bytes tag = bytes_new(CRYPTO_BYTES, 0);

    must(crypto_auth(tag.data, m.data, m.length, key.data) == 0, "crypto_auth returns 0");
    must(accepted(&given, &m, &key) == same(&given, &tag), "the right tag, and only that");
    must(accepted(&tag, &m, &key), "its own tag is accepted");
    flip(&tag, 256 * high + low);
    must(!accepted(&tag, &m, &key), "a changed tag is rejected");
    flip(&tag, 256 * high + low);
    flip_pair(&tag, tag.length, 256 * high + low);
    must(!accepted(&tag, &m, &key), "a tag with two bytes changed is rejected");
    bytes_free(key);
    bytes_free(given);
    bytes_free(m);
    bytes_free(tag);
    return 0;
}
