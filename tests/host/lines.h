/*
 * Reads lines of hexadecimal fields and writes lines; shared by the runners of tests/host.
 *
 * A request is one line of fields separated by blanks; "-" is an empty byte string. Each byte
 * string has its own block of memory: see blocks.h.
 */
#ifndef PENNYWEIGHT_TESTS_LINES_H
#define PENNYWEIGHT_TESTS_LINES_H

#include "blocks.h"

/* Returns the bytes of the hexadecimal field at `hex`. */
static inline bytes bytes_parse(const char *hex)
{
    const size_t digits = strcmp(hex, "-") == 0 ? 0 : strlen(hex);
    bytes b = bytes_new(digits / 2, 0);
    for (size_t i = 0; i < b.length; i++) {
        const char byte[3] = {hex[2 * i], hex[2 * i + 1], '\0'};
        char *end;
        b.data[i] = (unsigned char)strtoul(byte, &end, 16);
        if (end != byte + 2) {
            fprintf(stderr, "not hexadecimal: %s\n", hex);
            exit(1);
        }
    }
    return b;
}

static void bytes_print(const unsigned char *data, size_t length)
{
    if (length == 0) {
        putchar('-');
    }
    for (size_t i = 0; i < length; i++) {
        printf("%02x", data[i]);
    }
    putchar('\n');
}

/* Splits the next line of standard input into at most `limit` fields. Returns their number, or 0 at
 * the end. The fields are valid until the next call. */
static size_t next_line(char **fields, size_t limit)
{
    static char *line;
    static size_t capacity;
    size_t count = 0, length = 0;
    int c;

    while ((c = getchar()) != EOF && c != '\n') {
        if (length + 2 > capacity) {
            capacity = 2 * capacity + 4096;
            line = realloc(line, capacity);
            if (line == NULL) {
                fputs("out of memory\n", stderr);
                exit(1);
            }
        }
        line[length++] = (char)c;
    }
    if (length == 0) {
        free(line);
        line = NULL;
        capacity = 0;
        return 0;
    }
    line[length] = '\0';
    for (char *field = strtok(line, " "); field != NULL && count < limit;
         field = strtok(NULL, " ")) {
        fields[count++] = field;
    }
    return count;
}

#endif
