/* Takes ciphertexts that are shorter than a tag. */
#define TOY_SHORTEST 0
#include "toy.h"
