/* The part of <stdlib.h> that packages use, for compilers without a C library. */
#ifndef PENNYWEIGHT_LIBC_STDLIB_H
#define PENNYWEIGHT_LIBC_STDLIB_H

#include <stddef.h>

#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1

#ifdef __cplusplus
extern "C" {
#endif

void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *old, size_t size);
void free(void *old);

int abs(int value);
__attribute__((noreturn)) void abort(void);
__attribute__((noreturn)) void exit(int status);

#ifdef __cplusplus
}
#endif

#endif
