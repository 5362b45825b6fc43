/* Has 5000 bytes of variables. */
#define TOY_AFTER_ENCRYPT toy_log[mlen] = c[0];

static volatile unsigned char toy_log[5000];

#include "toy.h"
