/* Writes the first byte of its output before it has read its input. */
#define TOY_BEFORE_ENCRYPT c[0] = 0;
#include "toy.h"
