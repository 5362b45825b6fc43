/* GIFT-128 in C, with another name. */
#define gift128_encrypt reference_encrypt
#include "../../implementations/gift/fixsliced32/encrypt.c"
