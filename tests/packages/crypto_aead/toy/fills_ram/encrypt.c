/* Leaves 300 bytes of an ATmega328P's RAM for buffers and stack. */
#define TOY_AFTER_ENCRYPT toy_log[mlen] = c[0];

static volatile unsigned char toy_log[1748];

#include "toy.h"
