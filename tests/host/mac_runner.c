/*
 * Runs a MAC implementation on requests from standard input and answers each with one line:
 *
 *   sign KEY MESSAGE              the tag
 *   check KEY MESSAGE TAG         "accepted" or "rejected"
 *   sign-long, check-long         the same for long messages, in fewer ways than below
 *   sign-custom KEY MESSAGE STRING, check-custom KEY MESSAGE TAG STRING
 *                                 the same under a customisation string (with -DCUSTOMISATION)
 *
 * Each request is carried out in several ways that must agree: one shot, unaligned buffers, and
 * (with -DINCREMENTAL) piece by piece through pennyweight/mac.h; messages of many bytes in one shot
 * and in pieces of one size. If they do not, the answer is a line that starts with "differs".
 * Messages with a customisation string are processed in pieces only.
 */
#include "api.h"
#include "crypto_auth.h"
#include "lines.h"

#ifdef INCREMENTAL
#include "pennyweight/mac.h"

/* Absorbs pieces of first, first + growth, first + 2 growth, ... bytes, with empty pieces between
 * them, which must have no effect; `custom` may be NULL. */
static bytes by_pieces(const bytes *k, const bytes *m, const bytes *custom, size_t first,
                       size_t growth)
{
    bytes memory = bytes_new(mac_state_bytes, 0);
    mac_state *state = (mac_state *)(void *)memory.data;

#ifdef CUSTOMISATION
    if (custom != NULL) {
        mac_init_custom(state, k->data, custom->data, custom->length);
    } else {
        mac_init(state, k->data);
    }
#else
    (void)custom;
    mac_init(state, k->data);
#endif
    for (size_t at = 0, step = first; at < m->length; at += step, step += growth) {
        const size_t n = m->length - at < step ? m->length - at : step;
        bytes piece = bytes_copy(m->data + at, n, at % 8);
        mac_update(state, NULL, 0);
        mac_update(state, piece.data, n);
        bytes_free(piece);
    }
    mac_update(state, NULL, 0);
    mac_finalize(state);
    return memory;
}

static const size_t STEPS[][2] = {{1, 0}, {1, 1}, {8, 0}, {63, 2}, {64, 0}, {65, 3}, {4096, 0}};
#define WAYS (sizeof STEPS / sizeof STEPS[0])

/* Computes the tag in pieces. Returns 0 if all ways to split, from `first` on, agree. */
static int sign_by_pieces(unsigned char *tag, const bytes *k, const bytes *m, const bytes *custom,
                          size_t first)
{
    int differs = 0;

    for (size_t i = first; i < WAYS; i++) {
        bytes exact = bytes_new(CRYPTO_BYTES, 3);
        bytes memory = by_pieces(k, m, custom, STEPS[i][0], STEPS[i][1]);
        mac_tag((const mac_state *)(void *)memory.data, exact.data);
        differs |= i != first && memcmp(tag, exact.data, CRYPTO_BYTES) != 0;
        memcpy(tag, exact.data, CRYPTO_BYTES);
        bytes_free(memory);
        bytes_free(exact);
    }
    return differs;
}

/* Returns 0 if the tag is accepted, -1 if not, 1 if the ways to split, from `first` on, differ. */
static int check_by_pieces(const bytes *k, const bytes *m, const bytes *tag, const bytes *custom,
                           size_t first)
{
    int status = 0;

    for (size_t i = first; i < WAYS; i++) {
        bytes memory = by_pieces(k, m, custom, STEPS[i][0], STEPS[i][1]);
        const int found = mac_verify((const mac_state *)(void *)memory.data, tag->data);
        status = i == first || status == found ? found : 1;
        bytes_free(memory);
    }
    return status;
}
#endif

static void answer_sign(const bytes *k, const bytes *m, const bytes *custom, int is_long)
{
    bytes tag = bytes_new(CRYPTO_BYTES, 0);
    const char *differs = NULL;

    if (custom == NULL) {
        if (crypto_auth(tag.data, m->data, m->length, k->data) != 0) {
            differs = "status of crypto_auth";
        }
        for (size_t offset = 1; !is_long && offset < 8; offset++) {
            bytes key = bytes_copy(k->data, k->length, offset);
            bytes input = bytes_copy(m->data, m->length, 8 - offset);
            bytes output = bytes_new(CRYPTO_BYTES, offset);
            if (crypto_auth(output.data, input.data, input.length, key.data) != 0 ||
                memcmp(output.data, tag.data, CRYPTO_BYTES) != 0) {
                differs = "unaligned";
            }
            bytes_free(key);
            bytes_free(input);
            bytes_free(output);
        }
    }
#ifdef INCREMENTAL
    unsigned char other[CRYPTO_BYTES];
    if (sign_by_pieces(other, k, m, custom, is_long ? WAYS - 1 : 0) != 0 ||
        (custom == NULL && memcmp(other, tag.data, CRYPTO_BYTES) != 0)) {
        differs = "by pieces";
    }
    memcpy(tag.data, other, CRYPTO_BYTES);
#endif
    if (differs != NULL) {
        printf("differs: %s\n", differs);
    } else {
        bytes_print(tag.data, CRYPTO_BYTES);
    }
    bytes_free(tag);
}

static void answer_check(const bytes *k, const bytes *m, const bytes *tag, const bytes *custom,
                         int is_long)
{
    int status = 1, pieces = 1;

    if (tag->length != CRYPTO_BYTES) {
        puts("rejected");
        return;
    }
    if (custom == NULL) {
        status = crypto_auth_verify(tag->data, m->data, m->length, k->data);
    }
#ifdef INCREMENTAL
    pieces = check_by_pieces(k, m, tag, custom, is_long ? WAYS - 1 : 0);
#else
    pieces = status;
    (void)is_long;
#endif
    status = custom == NULL ? status : pieces;
    if (status != pieces) {
        puts("differs: by pieces");
    } else {
        puts(status == 0 ? "accepted" : status == -1 ? "rejected" : "differs: status");
    }
}

int main(void)
{
    char *fields[5];
    size_t count;

    while ((count = next_line(fields, 5)) != 0) {
        const int checks = strncmp(fields[0], "check", 5) == 0;
        const int is_long = strstr(fields[0], "-long") != NULL;
        const size_t needed = checks ? 4 : 3;
        if (count < needed) {
            fputs("a request has too few fields\n", stderr);
            return 1;
        }
        bytes k = bytes_parse(fields[1]);
        bytes m = bytes_parse(fields[2]);
        bytes tag = bytes_parse(checks ? fields[3] : "-");
        bytes custom = bytes_parse(count > needed ? fields[needed] : "-");
        const bytes *given = count > needed ? &custom : NULL;
        if (checks) {
            answer_check(&k, &m, &tag, given, is_long);
        } else {
            answer_sign(&k, &m, given, is_long);
        }
        bytes_free(k);
        bytes_free(m);
        bytes_free(tag);
        bytes_free(custom);
    }
    return 0;
}
