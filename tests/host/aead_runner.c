/*
 * Runs an AEAD implementation on requests from standard input and answers each with one line:
 *
 *   encrypt KEY NONCE AD MESSAGE      the ciphertext with its tag
 *   decrypt KEY NONCE AD CIPHERTEXT   the message, or "rejected"
 *   encrypt-long, decrypt-long        the same for long texts, in fewer ways than below
 *
 * Each request is carried out in several ways that must agree: separate buffers, in place,
 * unaligned buffers, and (with -DINCREMENTAL) piece by piece through pennyweight/aead.h; long texts
 * are processed in separate buffers, in place, and in pieces of one size. If they do not, the
 * answer is a line that starts with "differs". After a rejection the output must be all zero, else
 * the answer is "left plaintext behind". The answer is "refused" where an implementation whose
 * api.h defines CRYPTO_LONGEST, the bytes of its longest message, does not encrypt.
 */
#include "api.h"
#include "crypto_aead.h"
#include "lines.h"

#ifdef INCREMENTAL
#include "pennyweight/aead.h"
#endif

typedef struct {
    bytes key, nonce, ad;
} context;

/* The length of the ciphertext of `mlen` bytes, and the number of bytes that decrypting `clen`
 * bytes may write: the length of the message, unless the ciphertext encodes it. */
#ifdef CRYPTO_LONGEST
enum { REFUSES = 1 };
#define SEALED(mlen) ((size_t)CRYPTO_ABYTES + 0 * (mlen))
#define OPENED(clen) ((size_t)CRYPTO_LONGEST + 0 * (clen))
#else
enum { REFUSES = 0 };
#define SEALED(mlen) ((mlen) + CRYPTO_ABYTES)
#define OPENED(clen) ((clen) < CRYPTO_ABYTES ? 0 : (clen) - CRYPTO_ABYTES)
#endif

static int encrypt(bytes *c, const bytes *m, const context *x)
{
    unsigned long long length = 0;
    int status = crypto_aead_encrypt(c->data, &length, m->data, m->length, x->ad.data, x->ad.length,
                                     NULL, x->nonce.data, x->key.data);
    if (REFUSES && status == -1 && length == 0) {
        return -1;
    }
    return status != 0 || length != SEALED(m->length);
}

/* Returns 0 and sets `mlen` to the message's length, or -1 for a rejection, or 1 if the results are
 * inconsistent. */
static int decrypt(bytes *m, const bytes *c, size_t clen, const context *x, size_t *mlen)
{
    unsigned long long length = 0;
    int status = crypto_aead_decrypt(m->data, &length, NULL, c->data, clen, x->ad.data,
                                     x->ad.length, x->nonce.data, x->key.data);
    *mlen = OPENED(clen);
    if (status != 0 || SEALED((size_t)length) != clen || length > *mlen) {
        return status != 0 ? status : 1;
    }
    *mlen = (size_t)length;
    return 0;
}

static context misaligned(const context *x, size_t offset)
{
    context y;
    y.key = bytes_copy(x->key.data, x->key.length, offset);
    y.nonce = bytes_copy(x->nonce.data, x->nonce.length, offset);
    y.ad = bytes_copy(x->ad.data, x->ad.length, offset);
    return y;
}

static void context_free(context x)
{
    bytes_free(x.key);
    bytes_free(x.nonce);
    bytes_free(x.ad);
}

static int all_zero(const unsigned char *data, size_t length)
{
    while (length-- != 0) {
        if (data[length] != 0) {
            return 0;
        }
    }
    return 1;
}

#ifdef INCREMENTAL
enum { MOST_BLOCKS = 5 };

/* Encrypts or decrypts in place in pieces of `blocks` blocks, each in its own block of memory and
 * after an empty piece, which must have no effect; `output` receives the text. Returns whether
 * `tag` was accepted; encryption writes `tag`. */
static int by_pieces(unsigned char *output, const bytes *input, const context *x, size_t blocks,
                     int forwards, unsigned char *tag)
{
    const size_t step = blocks * aead_block_bytes;
    bytes memory = bytes_new(aead_state_bytes, 0);
    aead_state *state = (aead_state *)(void *)memory.data;
    int accepted = 1;

    aead_init(state, x->key.data, x->nonce.data);
    for (size_t at = 0; at < x->ad.length; at += step) {
        const size_t n = x->ad.length - at < step ? x->ad.length - at : step;
        bytes piece = bytes_copy(x->ad.data + at, n, at % 8);
        aead_ad(state, NULL, 0);
        aead_ad(state, piece.data, n);
        bytes_free(piece);
    }
    for (size_t at = 0; at < input->length; at += step) {
        const size_t n = input->length - at < step ? input->length - at : step;
        bytes piece = bytes_copy(input->data + at, n, (at + 3) % 8);
        if (forwards) {
            aead_encrypt(state, NULL, NULL, 0);
            aead_encrypt(state, piece.data, piece.data, n);
        } else {
            aead_decrypt(state, NULL, NULL, 0);
            aead_decrypt(state, piece.data, piece.data, n);
        }
        memcpy(output + at, piece.data, n);
        bytes_free(piece);
    }
    aead_finalize(state);
    if (forwards) {
        bytes exact = bytes_new(CRYPTO_ABYTES, 1);
        aead_tag(state, exact.data);
        memcpy(tag, exact.data, CRYPTO_ABYTES);
        bytes_free(exact);
    }
    accepted = aead_verify(state, tag) == 0;
    bytes_free(memory);
    return accepted;
}
#endif

static void answer_encrypt(const context *x, const bytes *m, int is_long)
{
    const size_t clen = SEALED(m->length);
    bytes c = bytes_new(clen, 0);
    const char *differs = NULL;
    const int status = encrypt(&c, m, x);

    if (status == -1) {
        puts(all_zero(c.data, clen) ? "refused" : "differs: written");
        bytes_free(c);
        return;
    }
    if (status != 0) {
        differs = "status or length of crypto_aead_encrypt";
    }

    bytes shared = bytes_new(clen, 0);
    if (m->length != 0) {
        memcpy(shared.data, m->data, m->length);
    }
    bytes start = shared;
    start.length = m->length;
    if (encrypt(&shared, &start, x) != 0 || memcmp(shared.data, c.data, clen) != 0) {
        differs = "in place";
    }
    bytes_free(shared);

    for (size_t offset = 1; !is_long && offset < 8; offset++) {
        context y = misaligned(x, offset);
        bytes input = bytes_copy(m->data, m->length, offset);
        bytes output = bytes_new(clen, 8 - offset);
        if (encrypt(&output, &input, &y) != 0 || memcmp(output.data, c.data, clen) != 0) {
            differs = "unaligned";
        }
        context_free(y);
        bytes_free(input);
        bytes_free(output);
    }

#ifdef INCREMENTAL
    for (size_t blocks = is_long ? MOST_BLOCKS : 1; blocks <= MOST_BLOCKS; blocks++) {
        bytes output = bytes_new(clen, 0);
        if (!by_pieces(output.data, m, x, blocks, 1, output.data + m->length) ||
            memcmp(output.data, c.data, clen) != 0) {
            differs = "by pieces";
        }
        bytes_free(output);
    }
#endif

    if (differs != NULL) {
        printf("differs: %s\n", differs);
    } else {
        bytes_print(c.data, clen);
    }
    bytes_free(c);
}

static void answer_decrypt(const context *x, const bytes *c, int is_long)
{
    const size_t room = OPENED(c->length);
    size_t length, other;
    bytes m = bytes_new(room, 0);
    const int status = decrypt(&m, c, c->length, x, &length);
    const char *differs = status == 0 || status == -1 ? NULL : "status or length";
    int left = status != 0 && !all_zero(m.data, room);

    bytes shared = bytes_copy(c->data, c->length, 0);
    if (decrypt(&shared, &shared, c->length, x, &other) != status || other != length ||
        (status == 0 && length != 0 && memcmp(shared.data, m.data, length) != 0)) {
        differs = "in place";
    }
    left |= !REFUSES && status != 0 && !all_zero(shared.data, room);
    bytes_free(shared);

    for (size_t offset = 1; !is_long && offset < 8; offset++) {
        context y = misaligned(x, offset);
        bytes input = bytes_copy(c->data, c->length, offset);
        bytes output = bytes_new(room, 8 - offset);
        if (decrypt(&output, &input, c->length, &y, &other) != status || other != length ||
            (status == 0 && length != 0 && memcmp(output.data, m.data, length) != 0)) {
            differs = "unaligned";
        }
        left |= status != 0 && !all_zero(output.data, room);
        context_free(y);
        bytes_free(input);
        bytes_free(output);
    }

#ifdef INCREMENTAL
    for (size_t blocks = is_long ? MOST_BLOCKS : 1;
         c->length >= CRYPTO_ABYTES && blocks <= MOST_BLOCKS; blocks++) {
        bytes body = *c;
        bytes output = bytes_new(length, 0);
        body.length = length;
        if (by_pieces(output.data, &body, x, blocks, 0, c->data + length) != (status == 0) ||
            (status == 0 && length != 0 && memcmp(output.data, m.data, length) != 0)) {
            differs = "by pieces";
        }
        bytes_free(output);
    }
#endif

    if (differs != NULL) {
        printf("differs: %s\n", differs);
    } else if (left) {
        puts("left plaintext behind");
    } else if (status != 0) {
        puts("rejected");
    } else {
        bytes_print(m.data, length);
    }
    bytes_free(m);
}

int main(void)
{
    char *fields[5];
    size_t count;

    while ((count = next_line(fields, 5)) != 0) {
        if (count != 5) {
            fputs("a request has five fields\n", stderr);
            return 1;
        }
        context x = {bytes_parse(fields[1]), bytes_parse(fields[2]), bytes_parse(fields[3])};
        bytes text = bytes_parse(fields[4]);
        if (x.key.length != CRYPTO_KEYBYTES || x.nonce.length != CRYPTO_NPUBBYTES) {
            fputs("key or nonce of the wrong length\n", stderr);
            return 1;
        }
        const int is_long = strstr(fields[0], "-long") != NULL;
        if (strncmp(fields[0], "encrypt", 7) == 0) {
            answer_encrypt(&x, &text, is_long);
        } else {
            answer_decrypt(&x, &text, is_long);
        }
        context_free(x);
        bytes_free(text);
    }
    return 0;
}
