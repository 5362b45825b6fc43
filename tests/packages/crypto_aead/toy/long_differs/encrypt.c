/* Rejects messages of more than 400 bytes that it made. */
#define TOY_REJECT(mlen) ((mlen) > 400)
#include "toy.h"
