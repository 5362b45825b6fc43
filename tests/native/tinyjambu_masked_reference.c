/* TinyJAMBU's permutation on two shares in C, with another name. */
#undef PW_ASM
#define masked_permute reference_permute
#include "../../implementations/tinyjambu-masked/permutation.c"
