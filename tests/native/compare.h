/*
 * What the comparisons of assembly and C share: random bytes, and a count of differences.
 *
 * References: G. Marsaglia, "Xorshift RNGs" (Journal of Statistical Software 8(14), 2003).
 */
#ifndef PENNYWEIGHT_TESTS_COMPARE_H
#define PENNYWEIGHT_TESTS_COMPARE_H

#include <stddef.h>
#include <stdint.h>

/* Bytes that differ, and bytes that were compared: read by the test. */
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

static void compare(const void *a, const void *b, size_t length)
{
    const uint8_t *p = a, *q = b;

    for (compared += (uint32_t)length; length-- != 0;) {
        mismatches += *p++ != *q++;
    }
}

#endif
