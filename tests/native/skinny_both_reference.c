/* SKINNY-128-384+ on two blocks in C, with another name. */
#define skinny128_encrypt_both reference_encrypt_both
#include "../../implementations/skinny/bitsliced32/both.c"
