/* Replaces libsodium's sodium/utils.c and sodium/core.c on parts without an operating system. A
 * volatile pointer clears memory, so that the compiler keeps the stores. */
#include <stdlib.h>

#include "core.h"
#include "utils.h"

void sodium_memzero(void *const memory, const size_t length)
{
    volatile unsigned char *volatile bytes = memory;
    for (size_t i = 0; i < length; i++) {
        bytes[i] = 0;
    }
}

int sodium_memcmp(const void *const a, const void *const b, size_t length)
{
    const volatile unsigned char *volatile p = a;
    const volatile unsigned char *volatile q = b;
    volatile unsigned char difference = 0;
    for (size_t i = 0; i < length; i++) {
        difference |= p[i] ^ q[i];
    }
    return (1 & ((difference - 1) >> 8)) - 1;
}

void sodium_misuse(void)
{
    abort();
}
