/*
 * The copying functions of the small C library that Arm's toolchain of 2017 brings and Arduino's
 * cores link (newlib "nano", compiled for size): one byte at a time. Debian's variant of it copies
 * words. `pennyweight accuracy` links these where the real board's program had them.
 *
 * Compile for size, and so that a loop does not become a call of itself
 * (-fno-tree-loop-distribute-patterns).
 */
#include <stddef.h>

void *memcpy(void *restrict to, const void *restrict from, size_t size)
{
    unsigned char *out = to;
    const unsigned char *in = from;
    while (size--) {
        *out++ = *in++;
    }
    return to;
}

void *memmove(void *to, const void *from, size_t size)
{
    unsigned char *out = to;
    const unsigned char *in = from;
    if (in < out && out < in + size) {
        in += size;
        out += size;
        while (size--) {
            *--out = *--in;
        }
    } else {
        while (size--) {
            *out++ = *in++;
        }
    }
    return to;
}

void *memset(void *to, int value, size_t size)
{
    unsigned char *out = to;
    while (size--) {
        *out++ = (unsigned char)value;
    }
    return to;
}

int memcmp(const void *first, const void *second, size_t size)
{
    const unsigned char *a = first;
    const unsigned char *b = second;
    while (size--) {
        if (*a != *b) {
            return *a - *b;
        }
        a++;
        b++;
    }
    return 0;
}
