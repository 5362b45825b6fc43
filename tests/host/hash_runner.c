/*
 * Runs a hash implementation on requests from standard input and answers each with one line:
 *
 *   hash MESSAGE                  the digest
 *   hash MESSAGE STRING           the digest under a customisation string (-DCUSTOMISED), or
 *                                 "refused"
 *   hash-long MESSAGE [STRING]    the same for long messages, in fewer ways than below
 *   repeat PIECE TIMES            the digest of the piece, repeated TIMES times (-DINCREMENTAL)
 *   squeeze MESSAGE SIZE          SIZE bytes of an XOF's output, at least a digest's (-DXOF)
 *   chain SHA-2|SHA-3 SEED STEPS  the digest after that many steps of the Monte Carlo tests of the
 *                                 NIST CAVP's SHAVS (section 6.4: each hashes the last three
 *                                 digests) and SHA3VS (6.2.3: each hashes the last digest)
 *   chain SHAKE SEED STEPS SIZE LEAST MOST
 *                                 the output after that many steps of that of SHA3VS 6.3.3 (-DXOF)
 *
 * Each request `hash` is carried out in several ways that must agree: one shot, unaligned buffers,
 * and (with -DINCREMENTAL) piece by piece through pennyweight/hash.h; long messages in one shot and
 * in pieces. If they do not, the answer is a line that starts with "differs".
 */
#include "api.h"
#include "crypto_cxof.h"
#include "crypto_hash.h"
#include "lines.h"

#ifdef INCREMENTAL
#include "pennyweight/hash.h"

static void start(hash_state *state, const bytes *custom)
{
#ifdef CUSTOMISATION
    if (custom->length != 0) {
        hash_init_custom(state, custom->data, custom->length);
        return;
    }
#endif
    (void)custom;
    hash_init(state);
}

/* Hashes in pieces of first, first + growth, first + 2 growth, ... bytes, with empty pieces between
 * them, which must have no effect. */
static void by_pieces(unsigned char *digest, const bytes *m, const bytes *custom, size_t first,
                      size_t growth)
{
    bytes memory = bytes_new(hash_state_bytes, 0);
    bytes exact = bytes_new(CRYPTO_BYTES, 3);
    hash_state *state = (hash_state *)(void *)memory.data;

    start(state, custom);
    for (size_t at = 0, step = first; at < m->length; at += step, step += growth) {
        const size_t n = m->length - at < step ? m->length - at : step;
        bytes piece = bytes_copy(m->data + at, n, at % 8);
        hash_update(state, NULL, 0);
        hash_update(state, piece.data, n);
        bytes_free(piece);
    }
    hash_update(state, NULL, 0);
    hash_final(state, exact.data);
    memcpy(digest, exact.data, CRYPTO_BYTES);
    bytes_free(exact);
    bytes_free(memory);
}

static void answer_repeat(const bytes *piece, unsigned long times)
{
    unsigned char digest[CRYPTO_BYTES];
    bytes memory = bytes_new(hash_state_bytes, 0);
    hash_state *state = (hash_state *)(void *)memory.data;

    hash_init(state);
    while (times-- != 0) {
        hash_update(state, piece->data, piece->length);
    }
    hash_final(state, digest);
    bytes_print(digest, CRYPTO_BYTES);
    bytes_free(memory);
}
#endif

static int one_shot(unsigned char *out, const bytes *m, const bytes *custom)
{
#ifdef CUSTOMISED
    return crypto_cxof(out, CRYPTO_BYTES, m->data, m->length, custom->data, custom->length);
#else
    (void)custom;
    return crypto_hash(out, m->data, m->length);
#endif
}

#ifdef CUSTOMISED
static int all_zero(const unsigned char *data, size_t length)
{
    while (length-- != 0) {
        if (data[length] != 0) {
            return 0;
        }
    }
    return 1;
}
#endif

static void answer(const bytes *m, const bytes *custom, int is_long)
{
    bytes digest = bytes_new(CRYPTO_BYTES, 0);
    const char *differs = NULL;

#ifdef CUSTOMISED
    if (one_shot(digest.data, m, custom) == -1) {
        puts(all_zero(digest.data, CRYPTO_BYTES) ? "refused" : "differs: written");
        bytes_free(digest);
        return;
    }
#endif
    if (one_shot(digest.data, m, custom) != 0) {
        differs = "status of the one-shot function";
    }
    for (size_t offset = 1; !is_long && offset < 8; offset++) {
        bytes input = bytes_copy(m->data, m->length, offset);
        bytes string = bytes_copy(custom->data, custom->length, offset);
        bytes output = bytes_new(CRYPTO_BYTES, 8 - offset);
        if (one_shot(output.data, &input, &string) != 0 ||
            memcmp(output.data, digest.data, CRYPTO_BYTES) != 0) {
            differs = "unaligned";
        }
        bytes_free(input);
        bytes_free(string);
        bytes_free(output);
    }
#if defined INCREMENTAL && (defined CUSTOMISATION || !defined CUSTOMISED)
    const size_t steps[][2] = {{1, 0}, {1, 1}, {8, 0}, {63, 2}, {64, 0}, {65, 3}, {200, 7}};
    const size_t ways = sizeof steps / sizeof steps[0];
    for (size_t i = is_long ? ways - 1 : 0; i < ways; i++) {
        unsigned char other[CRYPTO_BYTES];
        by_pieces(other, m, custom, steps[i][0], steps[i][1]);
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

#ifdef XOF
/* Returns `size` bytes of output for `m`; the bytes after the digest come in growing pieces. */
static bytes squeezed(const bytes *m, size_t size)
{
    bytes memory = bytes_new(hash_state_bytes, 0);
    bytes output = bytes_new(size < CRYPTO_BYTES ? CRYPTO_BYTES : size, 1);
    hash_state *state = (hash_state *)(void *)memory.data;

    hash_init(state);
    hash_update(state, m->data, m->length);
    hash_final(state, output.data);
    for (size_t at = CRYPTO_BYTES, step = 0; at < size; at += step) {
        step = size - at < step + 1 ? size - at : step + 1;
        bytes piece = bytes_new(step, at % 8);
        hash_squeeze(state, piece.data, step);
        memcpy(output.data + at, piece.data, step);
        bytes_free(piece);
    }
    output.length = size;
    bytes_free(memory);
    return output;
}

static void answer_squeeze(const bytes *m, size_t size)
{
    bytes output = squeezed(m, size);
    bytes_print(output.data, size);
    bytes_free(output);
}

static void answer_shake_chain(const bytes *seed, char **numbers)
{
    unsigned long steps = strtoul(numbers[0], NULL, 10);
    size_t size = strtoul(numbers[1], NULL, 10);
    const size_t least = strtoul(numbers[2], NULL, 10), most = strtoul(numbers[3], NULL, 10);
    bytes last = bytes_copy(seed->data, seed->length, 0);

    while (steps-- != 0) {
        bytes m = bytes_new(16, 0);
        memcpy(m.data, last.data, last.length < 16 ? last.length : 16);
        bytes_free(last);
        last = squeezed(&m, size);
        bytes_free(m);
        const size_t end = 256u * last.data[size - 2] + last.data[size - 1];
        size = least + end % (most - least + 1);
    }
    bytes_print(last.data, last.length);
    bytes_free(last);
}
#endif

#ifndef CUSTOMISED
static void answer_chain(const bytes *seed, unsigned long steps, size_t remembered)
{
    unsigned char last[3 * CRYPTO_BYTES], next[CRYPTO_BYTES];
    const size_t length = remembered * CRYPTO_BYTES;

    for (size_t i = 0; i < remembered; i++) {
        memcpy(last + i * CRYPTO_BYTES, seed->data, CRYPTO_BYTES);
    }
    while (steps-- != 0) {
        crypto_hash(next, last, length);
        memmove(last, last + CRYPTO_BYTES, length - CRYPTO_BYTES);
        memcpy(last + length - CRYPTO_BYTES, next, CRYPTO_BYTES);
    }
    bytes_print(last + length - CRYPTO_BYTES, CRYPTO_BYTES);
}
#endif

int main(void)
{
    char *fields[7];
    size_t count;

    while ((count = next_line(fields, 7)) != 0) {
        const int chains = strcmp(fields[0], "chain") == 0;
        if (count < (chains ? 4 : 2)) {
            fputs("a request has too few fields\n", stderr);
            return 1;
        }
        bytes m = bytes_parse(fields[chains ? 2 : 1]);
        if (chains && count == 4) {
#ifndef CUSTOMISED
            const size_t remembered = strcmp(fields[1], "SHA-2") == 0 ? 3 : 1;
            answer_chain(&m, strtoul(fields[3], NULL, 10), remembered);
#endif
#ifdef XOF
        } else if (chains) {
            answer_shake_chain(&m, fields + 3);
        } else if (strcmp(fields[0], "squeeze") == 0) {
            answer_squeeze(&m, strtoul(fields[2], NULL, 10));
#endif
#ifdef INCREMENTAL
        } else if (strcmp(fields[0], "repeat") == 0) {
            answer_repeat(&m, strtoul(fields[2], NULL, 10));
#endif
        } else {
            bytes custom = bytes_parse(count > 2 ? fields[2] : "-");
            answer(&m, &custom, strcmp(fields[0], "hash-long") == 0);
            bytes_free(custom);
        }
        bytes_free(m);
    }
    return 0;
}
