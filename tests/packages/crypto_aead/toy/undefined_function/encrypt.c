/* Calls a function that no file has. */
#define TOY_BEFORE_ENCRYPT toy_nowhere();
void toy_nowhere(void);
#include "toy.h"
