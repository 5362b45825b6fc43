/*
 * TweGIFT-128 optimised for code size: GIFT-128's rounds with the tweak added.
 *
 * References: see twegift128.h.
 */
#define GIFT128_TWEAKED
#include "../small/encrypt.c"
