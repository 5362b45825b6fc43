/* Leaves associated data out of the tag: changed data is accepted. */
#define TOY_ABSORB_AD 0
#include "toy.h"
