/*
 * <stdio.h>, for compilers without a C library. A microcontroller has no console: output is
 * formatted and then discarded. There are no files.
 */
#ifndef PENNYWEIGHT_LIBC_STDIO_H
#define PENNYWEIGHT_LIBC_STDIO_H

#include <stdarg.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef const struct pw_file FILE;
extern FILE *const stdin, *const stdout, *const stderr;

#define EOF (-1)

int printf(const char *format, ...);
int fprintf(FILE *file, const char *format, ...);
int sprintf(char *to, const char *format, ...);
int snprintf(char *to, size_t size, const char *format, ...);
int vprintf(const char *format, va_list list);
int vfprintf(FILE *file, const char *format, va_list list);
int vsprintf(char *to, const char *format, va_list list);
int vsnprintf(char *to, size_t size, const char *format, va_list list);
int puts(const char *text);
int fputs(const char *text, FILE *file);
int putchar(int letter);
int fputc(int letter, FILE *file);
int putc(int letter, FILE *file);
size_t fwrite(const void *from, size_t size, size_t count, FILE *file);
int fflush(FILE *file);

#ifdef __cplusplus
}
#endif

#endif
