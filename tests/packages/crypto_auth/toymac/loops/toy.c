/* Never returns once there is a message. */
#define TOY_BEFORE_AUTH                                                                            \
    if (inlen > 0) {                                                                               \
        for (;;) {                                                                                 \
        }                                                                                          \
    }
#include "toy_mac.h"
