/*
 * <stdio.h>, for compilers that bring no C library: declarations only, for packages that include
 * it and print in code that nobody calls. A package that does print does not link.
 */
#ifndef PENNYWEIGHT_LIBC_STDIO_H
#define PENNYWEIGHT_LIBC_STDIO_H

#include <stddef.h>

typedef struct pw_file FILE;
extern FILE *stdin, *stdout, *stderr;

#define EOF (-1)

int printf(const char *format, ...);
int fprintf(FILE *file, const char *format, ...);
int sprintf(char *to, const char *format, ...);
int snprintf(char *to, size_t size, const char *format, ...);
int puts(const char *text);
int putchar(int letter);
int fflush(FILE *file);

#endif
