/* Keccak-f[1600] in C, with another name. */
#define keccak1600_permute reference_permute
#include "../../implementations/keccak/interleaved32/permute1600.c"
