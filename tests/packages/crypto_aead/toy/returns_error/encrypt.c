/* Reports an error for a message that it has encrypted. */
#define TOY_AFTER_ENCRYPT                                                                          \
    if (mlen == 3) {                                                                               \
        return -7;                                                                                 \
    }
#include "toy.h"
