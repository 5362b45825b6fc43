/* Gives another answer every other time. */
#define TOY_OFFSET toy_calls
#define TOY_BEFORE_ENCRYPT toy_calls ^= 1;

static unsigned char toy_calls;

#include "toy.h"
