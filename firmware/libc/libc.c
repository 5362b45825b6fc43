/*
 * Functions that compilers call implicitly, and those of <string.h> and <stdlib.h> in use, for
 * compilers without a C library. The linker drops unused ones.
 *
 * Copies use words if both addresses are aligned, or else bytes, as in newlib. The compiler must
 * not turn the loop of a function into a call to that function.
 */
#pragma GCC optimize("O2", "no-tree-loop-distribute-patterns")

#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The word that the CPU moves at once; it may alias any type. */
#if UINTPTR_MAX == 0xffff
typedef uint16_t __attribute__((may_alias)) word;
#else
typedef uint32_t __attribute__((may_alias)) word;
#endif

#define WORD sizeof(word)

int errno;

void *memcpy(void *restrict to, const void *restrict from, size_t size)
{
    unsigned char *d = to;
    const unsigned char *s = from;
    if ((((uintptr_t)d ^ (uintptr_t)s) & (WORD - 1)) == 0) {
        while (size != 0 && ((uintptr_t)d & (WORD - 1)) != 0) {
            *d++ = *s++;
            size--;
        }
        for (; size >= 4 * WORD; size -= 4 * WORD) {
            const word *from_words = (const void *)s;
            word *to_words = (void *)d;
            word a = from_words[0], b = from_words[1], c = from_words[2], e = from_words[3];
            to_words[0] = a;
            to_words[1] = b;
            to_words[2] = c;
            to_words[3] = e;
            s += 4 * WORD;
            d += 4 * WORD;
        }
        for (; size >= WORD; size -= WORD) {
            *(word *)(void *)d = *(const word *)(const void *)s;
            s += WORD;
            d += WORD;
        }
    }
    for (; size != 0; size--) {
        *d++ = *s++;
    }
    return to;
}

void *memmove(void *to, const void *from, size_t size)
{
    unsigned char *d = to;
    const unsigned char *s = from;
    if ((uintptr_t)d - (uintptr_t)s >= size) {
        /* The bytes that are overwritten have already been read. */
        for (; size != 0; size--) {
            *d++ = *s++;
        }
    } else {
        while (size != 0) {
            size--;
            d[size] = s[size];
        }
    }
    return to;
}

void *memset(void *to, int value, size_t size)
{
    unsigned char *d = to;
    while (size != 0 && ((uintptr_t)d & (WORD - 1)) != 0) {
        *d++ = (unsigned char)value;
        size--;
    }
    word pattern = (word)(0x01010101UL * (unsigned char)value);
    for (; size >= WORD; size -= WORD) {
        *(word *)(void *)d = pattern;
        d += WORD;
    }
    for (; size != 0; size--) {
        *d++ = (unsigned char)value;
    }
    return to;
}

int memcmp(const void *a, const void *b, size_t size)
{
    const unsigned char *p = a, *q = b;
    for (; size != 0; size--, p++, q++) {
        if (*p != *q) {
            return *p - *q;
        }
    }
    return 0;
}

size_t strlen(const char *text)
{
    size_t length = 0;
    while (text[length] != 0) {
        length++;
    }
    return length;
}

int strcmp(const char *a, const char *b)
{
    while (*a != 0 && *a == *b) {
        a++;
        b++;
    }
    return (unsigned char)*a - (unsigned char)*b;
}

int strncmp(const char *a, const char *b, size_t size)
{
    for (; size != 0; size--, a++, b++) {
        if (*a != *b || *a == 0) {
            return (unsigned char)*a - (unsigned char)*b;
        }
    }
    return 0;
}

char *strcpy(char *to, const char *from)
{
    memcpy(to, from, strlen(from) + 1);
    return to;
}

char *strncpy(char *to, const char *from, size_t size)
{
    size_t i = 0;
    for (; i < size && from[i] != 0; i++) {
        to[i] = from[i];
    }
    for (; i < size; i++) {
        to[i] = 0;
    }
    return to;
}

char *strcat(char *to, const char *from)
{
    strcpy(to + strlen(to), from);
    return to;
}

char *strchr(const char *text, int letter)
{
    for (; *text != (char)letter; text++) {
        if (*text == 0) {
            return NULL;
        }
    }
    return (char *)(uintptr_t)text;
}

void *memchr(const void *from, int value, size_t size)
{
    const unsigned char *s = from;
    for (; size != 0; size--, s++) {
        if (*s == (unsigned char)value) {
            return (void *)(uintptr_t)s;
        }
    }
    return NULL;
}

int tolower(int letter)
{
    return letter >= 'A' && letter <= 'Z' ? letter - 'A' + 'a' : letter;
}

int toupper(int letter)
{
    return letter >= 'a' && letter <= 'z' ? letter - 'a' + 'A' : letter;
}

int abs(int value)
{
    return value < 0 ? -value : value;
}

void abort(void)
{
    for (;;) {
    }
}

void exit(int status)
{
    (void)status;
    abort();
}
