/*
 * TweGIFT-128 on bytes, fixsliced: GIFT-128's rounds with the tweak added.
 *
 * References: see twegift128.h.
 */
#define GIFT128_TWEAKED
#include "../fixsliced8/encrypt.c"
