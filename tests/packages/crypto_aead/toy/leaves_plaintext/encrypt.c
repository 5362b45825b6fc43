/* Leaves the plaintext of a rejected message in the output buffer. */
#define TOY_WIPE 0
#include "toy.h"
