/* Keccak-p[200, n] in C, with another name. */
#define keccak200_permute reference_permute
#include "../../implementations/keccak/bytes8/permute200.c"
