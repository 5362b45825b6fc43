/* Ends with abort, which keeps interrupts off for ever. */
#include <stdlib.h>
#define TOY_BEFORE_ENCRYPT abort();
#include "toy.h"
