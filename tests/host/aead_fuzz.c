/*
 * libFuzzer's target for an AEAD implementation. The input is length of the associated data, the
 * number of a bit to change (two bytes), key, nonce, associated data, and the text (the rest).
 *
 * If api.h defines CRYPTO_LONGEST, messages have at most that many bytes and no associated data;
 * the functions must reject others.
 *
 * The text is decrypted as if it were a ciphertext; then it is encrypted, decrypted, and decrypted
 * again with one bit changed, and with the same bit of two bytes of the tag. Each buffer is a block
 * of memory of exactly its size, so that the address sanitizer sees what is read or written
 * outside.
 */
#include "api.h"
#include "crypto_aead.h"
#include "fuzz.h"

/* The number of words at the end of a key that, by the specification, must differ from each
 * other. */
#ifndef CRYPTO_DISTINCT_WORDS
#define CRYPTO_DISTINCT_WORDS 0
#endif

#ifdef CRYPTO_LONGEST
#define SEALED(mlen) ((size_t)CRYPTO_ABYTES + 0 * (mlen))
#define OPENED(clen) ((size_t)CRYPTO_LONGEST + 0 * (clen))
#else
#define SEALED(mlen) ((mlen) + CRYPTO_ABYTES)
#define OPENED(clen) ((clen) < CRYPTO_ABYTES ? 0 : (clen) - CRYPTO_ABYTES)
#endif

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct {
    bytes key, nonce, ad;
} context;

/* Decrypts `c`; `m` is a new block of memory for the message. After a rejection, it must hold only
 * zeros. */
static int opened(const context *x, const bytes *c, bytes *m)
{
    unsigned long long length = 0;
    int status;

    *m = bytes_new(OPENED(c->length), 0);
    status = crypto_aead_decrypt(m->data, &length, NULL, c->data, c->length, x->ad.data,
                                 x->ad.length, x->nonce.data, x->key.data);
    must(status == 0 || status == -1, "decryption returns 0 or -1");
    must(status != 0 || (length <= m->length && SEALED((size_t)length) == c->length),
         "the message's length is told");
    for (size_t i = 0; status != 0 && i < m->length; i++) {
        must(m->data[i] == 0, "a rejected ciphertext leaves zeros");
    }
    if (status == 0) {
        m->length = (size_t)length;
    }
    return status == 0;
}

static bytes sealed(const context *x, const bytes *m)
{
    unsigned long long length = 0;
    bytes c = bytes_new(SEALED(m->length), 0);
    const int status = crypto_aead_encrypt(c.data, &length, m->data, m->length, x->ad.data,
                                           x->ad.length, NULL, x->nonce.data, x->key.data);
    must(status == 0 && length == c.length, "encryption returns 0 and tells its length");
    return c;
}

/* In-place decryption gives the same result. */
static void check_in_place(const context *x, const bytes *c, int accepted, const bytes *m)
{
    unsigned long long length = 0;
    bytes shared = bytes_copy(c->data, c->length, 0);
    const int status = crypto_aead_decrypt(shared.data, &length, NULL, shared.data, shared.length,
                                           x->ad.data, x->ad.length, x->nonce.data, x->key.data);
    must((status == 0) == accepted, "the same verdict in place");
#ifdef CRYPTO_LONGEST
    if (!accepted) { /* the buffer then holds the ciphertext */
        bytes_free(shared);
        return;
    }
#endif
    must(m->length == 0 || memcmp(shared.data, m->data, m->length) == 0, "the same in place");
    bytes_free(shared);
}

/* As a ciphertext, `text` is rejected, or else its message encrypts to it. */
static void check_decryption(const context *x, const bytes *text)
{
    bytes m;
    const int accepted = opened(x, text, &m);

    check_in_place(x, text, accepted, &m);
    if (accepted) {
        bytes c = sealed(x, &m);
        must(same(&c, text), "what is accepted is what encryption gives");
        bytes_free(c);
    }
    bytes_free(m);
}

/* As a message, `text` survives a round trip, and a changed ciphertext is rejected. */
static void check_forgery(const context *x, const bytes *text, size_t bit)
{
    bytes c = sealed(x, text), m;

    must(opened(x, &c, &m), "its own ciphertext is accepted");
    must(same(&m, text), "the message comes back");
    bytes_free(m);
    flip(&c, bit);
    must(!opened(x, &c, &m), "a changed ciphertext is rejected");
    check_in_place(x, &c, 0, &m);
    bytes_free(m);
    flip(&c, bit);
    flip_pair(&c, CRYPTO_ABYTES, bit);
    must(!opened(x, &c, &m), "a tag with two bytes changed is rejected");
    bytes_free(m);
    bytes_free(c);
}

#ifdef CRYPTO_LONGEST
/* Unsupported inputs are rejected without writing; then `x` and `text` are cut to fit. */
static void check_refusal(context *x, bytes *text)
{
    unsigned long long length = 1;
    bytes c = bytes_new(CRYPTO_ABYTES, 0);

    if (text->length > CRYPTO_LONGEST || x->ad.length != 0) {
        must(crypto_aead_encrypt(c.data, &length, text->data, text->length, x->ad.data,
                                 x->ad.length, NULL, x->nonce.data, x->key.data) == -1 &&
                 length == 0,
             "other lengths are refused");
    }
    bytes_free(c);
    x->ad.length = 0;
    text->length = text->length < CRYPTO_LONGEST ? text->length : CRYPTO_LONGEST;
}
#endif

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const size_t ad = take_byte(&data, &size);
    const size_t high = take_byte(&data, &size), low = take_byte(&data, &size);
    context x;

    x.key = take(&data, &size, CRYPTO_KEYBYTES);
    x.nonce = take(&data, &size, CRYPTO_NPUBBYTES);
    x.ad = take(&data, &size, ad < size ? ad : size);
    bytes text = take(&data, &size, size);
    check_decryption(&x, &text);
#ifdef CRYPTO_LONGEST
    check_refusal(&x, &text);
#endif
    if (are_distinct(&x.key, CRYPTO_DISTINCT_WORDS)) { /* or else forgeries are easy */
        check_forgery(&x, &text, 256 * high + low);
    }
    bytes_free(x.key);
    bytes_free(x.nonce);
    bytes_free(x.ad);
    bytes_free(text);
    return 0;
}
