/* Reads bytes from hexadecimal digits, and reports what a test finds. */
#ifndef HEX_H
#define HEX_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned digit(char c)
{
    static const char digits[] = "0123456789abcdef";

    return (unsigned)(strchr(digits, c) - digits);
}

/* Writes the bytes of `text` to `bytes`. Returns their number. */
static size_t read_hex(unsigned char *bytes, const char *text)
{
    const size_t length = strlen(text) / 2;

    for (size_t i = 0; i < length; i++) {
        bytes[i] = (unsigned char)(digit(text[2 * i]) << 4 | digit(text[2 * i + 1]));
    }
    return length;
}

/* Ends the program with a message unless `passed`. */
static void check(int passed, const char *what, const char *source)
{
    if (!passed) {
        fprintf(stderr, "FAILED: %s (%s)\n", what, source);
        exit(EXIT_FAILURE);
    }
}

#endif
