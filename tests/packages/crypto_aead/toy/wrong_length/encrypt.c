/* Reports the plaintext's length as the ciphertext's. */
#define TOY_AFTER_ENCRYPT *clen = mlen;
#include "toy.h"
