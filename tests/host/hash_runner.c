/*
 * Runs a hash implementation on requests from standard input, one line of answer for each:
 *
 *   hash MESSAGE    the digest
 *
 * Each request is carried out in several ways that must agree: one shot, unaligned buffers, and
 * (with -DINCREMENTAL) piece by piece through pennyweight/hash.h. If they do not, the answer is a
 * line that starts with "differs".
 */
#include "api.h"
#include "crypto_hash.h"
#include "lines.h"

#ifdef INCREMENTAL
#include "pennyweight/hash.h"

/* Hashes in pieces of first, first + growth, first + 2 growth, ... bytes. */
static void by_pieces(unsigned char *digest, const bytes *m, size_t first, size_t growth)
{
    bytes memory = bytes_new(hash_state_bytes, 0);
    bytes exact = bytes_new(CRYPTO_BYTES, 3);
    hash_state *state = (hash_state *)(void *)memory.data;

    hash_init(state);
    for (size_t at = 0, step = first; at < m->length; at += step, step += growth) {
        const size_t n = m->length - at < step ? m->length - at : step;
        bytes piece = bytes_copy(m->data + at, n, at % 8);
        hash_update(state, piece.data, n);
        bytes_free(piece);
    }
    hash_final(state, exact.data);
    memcpy(digest, exact.data, CRYPTO_BYTES);
    bytes_free(exact);
    bytes_free(memory);
}
#endif

static void answer(const bytes *m)
{
    bytes digest = bytes_new(CRYPTO_BYTES, 0);
    const char *differs = NULL;

    if (crypto_hash(digest.data, m->data, m->length) != 0) {
        differs = "status of crypto_hash";
    }
    for (size_t offset = 1; offset < 8; offset++) {
        bytes input = bytes_copy(m->data, m->length, offset);
        bytes output = bytes_new(CRYPTO_BYTES, 8 - offset);
        if (crypto_hash(output.data, input.data, input.length) != 0 ||
            memcmp(output.data, digest.data, CRYPTO_BYTES) != 0) {
            differs = "unaligned";
        }
        bytes_free(input);
        bytes_free(output);
    }
#ifdef INCREMENTAL
    const size_t steps[][2] = {{1, 0}, {1, 1}, {8, 0}, {63, 2}, {64, 0}, {65, 3}, {200, 7}};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        unsigned char other[CRYPTO_BYTES];
        by_pieces(other, m, steps[i][0], steps[i][1]);
        if (memcmp(other, digest.data, CRYPTO_BYTES) != 0) {
            differs = "by pieces";
        }
    }
#endif
    if (differs != NULL) {
        printf("differs: %s\n", differs);
    } else {
        bytes_print(digest.data, CRYPTO_BYTES);
    }
    bytes_free(digest);
}

int main(void)
{
    char *fields[2];
    size_t count;

    while ((count = next_line(fields, 2)) != 0) {
        if (count != 2) {
            fputs("a request has two fields\n", stderr);
            return 1;
        }
        bytes m = bytes_parse(fields[1]);
        answer(&m);
        bytes_free(m);
    }
    return 0;
}
