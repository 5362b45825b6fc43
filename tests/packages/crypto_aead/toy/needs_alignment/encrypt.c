/* Reads the key in words of four bytes. */
#define TOY_BEFORE_ENCRYPT                                                                         \
    volatile unsigned long word = *(const unsigned long *)k;                                       \
    (void)word;
#include "toy.h"
