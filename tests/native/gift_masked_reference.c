/* GIFT-128 on two shares in C, with another name. */
#undef PW_ASM
#define masked_encrypt reference_encrypt
#include "../../implementations/gift-masked/encrypt.c"
