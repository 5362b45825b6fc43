/* Keccak-f[200] of four states in C, with another name. */
#define keccak200_permute4 reference_permute4
#include "../../implementations/keccak/words32/permute200x4.c"
