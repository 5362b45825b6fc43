/*
 * Byte strings in blocks of memory of exactly their size, so that the address sanitizer detects any
 * access beyond them.
 */
#ifndef PENNYWEIGHT_TESTS_BLOCKS_H
#define PENNYWEIGHT_TESTS_BLOCKS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    unsigned char *data;
    size_t length;
    unsigned char *block; /* the pointer to pass to free() */
} bytes;

/* `length` zero bytes, `offset` bytes (0..7) beyond an 8-byte boundary. */
static inline bytes bytes_new(size_t length, size_t offset)
{
    bytes b;
    b.block = malloc(length + offset + (length + offset == 0));
    if (b.block == NULL) {
        fputs("out of memory\n", stderr);
        exit(1);
    }
    b.data = b.block + offset;
    b.length = length;
    memset(b.block, 0, length + offset);
    return b;
}

/* A copy of the `length` bytes at `data`, `offset` bytes beyond an 8-byte boundary. Zero bytes at
 * offset 7 give NULL, as callers without data pass it. */
static inline bytes bytes_copy(const unsigned char *data, size_t length, size_t offset)
{
    bytes b = bytes_new(length, offset);
    if (length == 0 && offset == 7) {
        b.data = NULL;
    }
    if (length != 0) {
        memcpy(b.data, data, length);
    }
    return b;
}

static inline void bytes_free(bytes b)
{
    free(b.block);
}

#endif
