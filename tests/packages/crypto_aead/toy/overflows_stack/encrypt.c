/* Calls itself until the stack has used up all RAM. */
#define TOY_BEFORE_ENCRYPT c[0] = (unsigned char)toy_deep((int)mlen + 20000);

static int toy_deep(int depth)
{
    volatile unsigned char frame[32];

    frame[depth & 31] = (unsigned char)depth;
    return depth == 0 ? 0 : toy_deep(depth - 1) + frame[depth & 31];
}

#include "toy.h"
