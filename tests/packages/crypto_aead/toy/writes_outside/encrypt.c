/* Writes one byte behind the ciphertext. */
#define TOY_AFTER_ENCRYPT c[mlen + 16] = 0;
#include "toy.h"
