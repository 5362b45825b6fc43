/* Keccak-p[400] in C, with other names. */
#define keccak400_permute reference_permute
#define keccak400_absorb_bits reference_absorb_bits
#include "../../implementations/keccak/words32/permute400.c"
