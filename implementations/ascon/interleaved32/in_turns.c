/*
 * Ascon's permutations on interleaved bits, two rounds in a turn: less code, and faster where a
 * cache for code holds two rounds but not twelve.
 *
 * References: see permutation.c.
 */
#define ASCON_IN_TURNS
#include "permutation.c"
