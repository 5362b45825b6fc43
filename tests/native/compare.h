/*
 * Shared by the comparisons of assembly with C: random bytes, and a count of differences.
 *
 * References: G. Marsaglia, "Xorshift RNGs" (Journal of Statistical Software 8(14), 2003).
 */
#ifndef PENNYWEIGHT_TESTS_COMPARE_H
#define PENNYWEIGHT_TESTS_COMPARE_H

#include <stddef.h>
#include <stdint.h>

/* The numbers of differing bytes and of compared bytes, which the test reads. */
uint32_t mismatches, compared;

static uint32_t random_state = 2463534242;

static void fill_random(void *to, size_t length)
{
    uint8_t *bytes = to;

    while (length-- != 0) {
        random_state ^= random_state << 13;
        random_state ^= random_state >> 17;
        random_state ^= random_state << 5;
        *bytes++ = (uint8_t)(random_state >> 24);
    }
}

/* Fills `a` with random bytes and copies them to `b`. */
static void fill_equal(void *a, void *b, size_t length)
{
    const uint8_t *from = a;
    uint8_t *to = b;

    for (fill_random(a, length); length-- != 0;) {
        *to++ = *from++;
    }
}

static void compare(const void *a, const void *b, size_t length)
{
    const uint8_t *p = a, *q = b;

    for (compared += (uint32_t)length; length-- != 0;) {
        mismatches += *p++ != *q++;
    }
}

/* Defines the data of a comparison over blocks: a state for assembly and one for C, up to `length`
 * bytes of input at any alignment, and two outputs. start() fills them with equal states. */
#define COMPARED_STATES(type, length)                                                              \
    static type a, b;                                                                              \
    static _Alignas(4) uint8_t input[(length) + 3], output[length], expected[length];              \
                                                                                                   \
    static void start(void)                                                                        \
    {                                                                                              \
        fill_equal(&a, &b, sizeof a);                                                              \
        fill_random(input, sizeof input);                                                          \
    }

#endif
