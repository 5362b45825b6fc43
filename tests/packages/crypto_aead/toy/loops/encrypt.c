/* Never returns once there is a message. */
#define TOY_BEFORE_ENCRYPT                                                                         \
    if (mlen > 0) {                                                                                \
        for (;;) {                                                                                 \
        }                                                                                          \
    }
#include "toy.h"
