/* A semicolon is missing. */
#define TOY_AFTER_ENCRYPT c[0] = 0
#include "toy.h"
