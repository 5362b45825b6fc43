/*
 * Runs a hash implementation on requests from standard input, one line of answer for each:
 *
 *   hash MESSAGE       the digest
 *   chain SEED STEPS   the digest after that many steps of the Monte Carlo test of the NIST
 *                      CAVP's SHAVS, section 6.4: each hashes the last three digests
 *
 * Each request `hash` is carried out in several ways that must agree: one shot, unaligned buffers,
 * and (with -DINCREMENTAL) piece by piece through pennyweight/hash.h. If they do not, the answer is
 * a line that starts with "differs".
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

static void answer_chain(const bytes *seed, unsigned long steps)
{
    unsigned char last[3 * CRYPTO_BYTES], next[CRYPTO_BYTES];

    for (size_t i = 0; i < 3; i++) {
        memcpy(last + i * CRYPTO_BYTES, seed->data, CRYPTO_BYTES);
    }
    while (steps-- != 0) {
        crypto_hash(next, last, sizeof last);
        memmove(last, last + CRYPTO_BYTES, 2 * CRYPTO_BYTES);
        memcpy(last + 2 * CRYPTO_BYTES, next, CRYPTO_BYTES);
    }
    bytes_print(last + 2 * CRYPTO_BYTES, CRYPTO_BYTES);
}

int main(void)
{
    char *fields[3];
    size_t count;

    while ((count = next_line(fields, 3)) != 0) {
        if (count < 2) {
            fputs("a request has two fields or three\n", stderr);
            return 1;
        }
        bytes m = bytes_parse(fields[1]);
        if (count == 3 && m.length == CRYPTO_BYTES) {
            answer_chain(&m, strtoul(fields[2], NULL, 10));
        } else {
            answer(&m);
        }
        bytes_free(m);
    }
    return 0;
}
