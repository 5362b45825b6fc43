/* Decryption writes a byte behind the message, where the ciphertext had its tag. */
#define TOY_BEFORE_DECRYPT                                                                         \
    if (clen > 16) {                                                                               \
        m[clen - 16] = 7;                                                                          \
    }
#include "toy.h"
