/*
 * TweGIFT-128 on four words of 32 bits, fixsliced: GIFT-128's rounds with the tweak added.
 *
 * References: see twegift128.h.
 */
#define GIFT128_TWEAKED
#include "../fixsliced32/encrypt.c"
