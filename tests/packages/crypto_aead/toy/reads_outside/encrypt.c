/* Reads one byte behind the associated data. */
#define TOY_BEFORE_ENCRYPT                                                                         \
    volatile unsigned char last = ad[adlen];                                                       \
    (void)last;
#include "toy.h"
