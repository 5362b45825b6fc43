/* Calls a function where there is none. */
#define TOY_BEFORE_DECRYPT ((void (*)(void))0x7ffe00)();
#include "toy.h"
