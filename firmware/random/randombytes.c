/*
 * SUPERCOP's randombytes() for packages that declare it themselves. A package's own definition
 * replaces it.
 */
#include "../include/pennyweight/random.h"

void randombytes(unsigned char *bytes, unsigned long long length);

__attribute__((weak)) void randombytes(unsigned char *bytes, unsigned long long length)
{
    uint32_t word = 0;

    for (unsigned long long i = 0; i < length; i++) {
        word = i % 4 == 0 ? pw_random32() : word >> 8;
        bytes[i] = (unsigned char)word;
    }
}
