/* GIFT-128 on bytes in C, with another name. */
#define gift128_encrypt reference_encrypt
#include "../../implementations/gift/fixsliced8/encrypt.c"
