/* Has the name and the sizes of ASCON-128, and another answer to everything. */
#include "toy.h"
