/* TinyJAMBU's permutation in C, with another name. */
#define tinyjambu_permute reference_permute
#include "../../implementations/tinyjambu/fast32/permutation.c"
