/* Rejects messages of 8 bytes. */
#define TOY_REJECT(mlen) ((mlen) == 8)
#include "toy.h"
