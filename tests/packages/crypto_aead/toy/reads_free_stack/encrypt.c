/* Reads far below the stack pointer, in unused RAM. */
#define TOY_AFTER_ENCRYPT (void)toy_below(s)[-200];

/* The compiler does not see that the pointer leaves the array. */
static volatile unsigned char *toy_below(unsigned char *s)
{
    unsigned char *volatile hidden = s;

    return hidden;
}

#include "toy.h"
