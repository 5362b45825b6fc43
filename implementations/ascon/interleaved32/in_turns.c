/*
 * Ascon's permutations on interleaved bits, two rounds per iteration: smaller, and faster where an
 * instruction cache holds two rounds but not twelve.
 *
 * References: see permutation.c.
 */
#define ASCON_IN_TURNS
#include "permutation.c"
