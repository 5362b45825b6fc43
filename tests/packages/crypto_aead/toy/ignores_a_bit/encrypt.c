/* Compares seven bits of each byte of the tag. */
#define TOY_COMPARE(sum, i, x) ((sum) | ((x) & 0xBF))
#include "toy.h"
