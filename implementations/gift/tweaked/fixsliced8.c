/*
 * TweGIFT-128 on bytes, fixsliced: GIFT-128's rounds, which take the tweak in.
 *
 * References: see twegift128.h.
 */
#define GIFT128_TWEAKED
#include "../fixsliced8/encrypt.c"
