/*
 * Splits a fuzzer's input into byte strings; shared by the fuzzing targets of tests/host.
 */
#ifndef PENNYWEIGHT_TESTS_FUZZ_H
#define PENNYWEIGHT_TESTS_FUZZ_H

#include "blocks.h"
#include <stdint.h>

/* Unless `holds`, reports the broken `promise` and stops the fuzzer, which saves the input. */
static inline void must(int holds, const char *promise)
{
    if (!holds) {
        fprintf(stderr, "broken: %s\n", promise);
        abort();
    }
}

/* The next `length` bytes of the input in a block of memory of their own, with zeros at its end. */
static inline bytes take(const uint8_t **data, size_t *size, size_t length)
{
    const size_t there = *size < length ? *size : length;
    bytes b = bytes_new(length, 0);

    if (there != 0) {
        memcpy(b.data, *data, there);
    }
    *data += there;
    *size -= there;
    return b;
}

/* A byte of the input, 0 at its end. */
static inline size_t take_byte(const uint8_t **data, size_t *size)
{
    bytes b = take(data, size, 1);
    const size_t value = b.data[0];

    bytes_free(b);
    return value;
}

static inline int same(const bytes *a, const bytes *b)
{
    return a->length == b->length && (a->length == 0 || memcmp(a->data, b->data, a->length) == 0);
}

/* Whether the last `words` four-byte words of `b` differ from each other. */
static inline int are_distinct(const bytes *b, size_t words)
{
    const unsigned char *const first = b->data + b->length - 4 * words;

    for (size_t i = 0; i < words; i++) {
        for (size_t j = 0; j < i; j++) {
            if (memcmp(first + 4 * i, first + 4 * j, 4) == 0) {
                return 0;
            }
        }
    }
    return 1;
}

/* Changes one bit of `b`, which is not empty. */
static inline void flip(bytes *b, size_t which)
{
    b->data[which / 8 % b->length] ^= (unsigned char)(1 << which % 8);
}

/*
 * Changes the same bit in two of the last `tag` >= 2 bytes of `b`, so that the differences cancel
 * out in an XOR.
 */
static inline void flip_pair(bytes *b, size_t tag, size_t which)
{
    unsigned char *end = b->data + b->length - tag;
    const unsigned char bit = (unsigned char)(1 << which % 8);
    const size_t one = which / 8 % tag, other = (one + 1 + which / 8 / tag % (tag - 1)) % tag;

    end[one] ^= bit;
    end[other] ^= bit;
}

#endif
