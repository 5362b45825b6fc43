/* Xoodoo on two shares in C, with another name. */
#undef PW_ASM
#define masked_permute reference_permute
#include "../../implementations/xoodyak-masked/permutation.c"
