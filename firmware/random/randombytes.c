/*
 * SUPERCOP's randombytes() for packages that declare it themselves. A package's own definition
 * replaces it.
 */
void randombytes(unsigned char *bytes, unsigned long long length);

#define RANDOMBYTES_LINKAGE __attribute__((weak))
#include "../include/randombytes.h"
