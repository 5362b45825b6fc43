/* The part of <string.h> that packages use, for compilers without a C library. */
#ifndef PENNYWEIGHT_LIBC_STRING_H
#define PENNYWEIGHT_LIBC_STRING_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

void *memcpy(void *to, const void *from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *to, int value, size_t size);
int memcmp(const void *a, const void *b, size_t size);
size_t strlen(const char *text);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t size);
char *strcpy(char *to, const char *from);
char *strncpy(char *to, const char *from, size_t size);
char *strcat(char *to, const char *from);
char *strchr(const char *text, int letter);
void *memchr(const void *from, int value, size_t size);

#ifdef __cplusplus
}
#endif

#endif
