/* Changes its key. */
#define TOY_AFTER_ENCRYPT ((unsigned char *)k)[3] = 0;
#include "toy.h"
