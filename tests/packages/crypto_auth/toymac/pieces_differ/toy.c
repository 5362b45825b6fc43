/* The incremental API counts pieces. */
#define TOY_PIECE(x) toy_byte(x, 1)
#include "toy_mac.h"
