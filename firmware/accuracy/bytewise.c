/*
 * The copying functions of newlib "nano", the size-optimised C library of Arm's 2017 toolchain,
 * which Arduino's cores link. They copy one byte at a time. Debian's build copies words.
 * `pennyweight accuracy` links these if the program on the real board used them.
 *
 * Compile with -Os and -fno-tree-loop-distribute-patterns, so that the loop of a function does not
 * become a call to that function.
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
