/* Refuses messages of more than 400 bytes. */
#define TOY_BEFORE_ENCRYPT                                                                         \
    if (mlen > 400) {                                                                              \
        return -1;                                                                                 \
    }
#include "toy.h"
