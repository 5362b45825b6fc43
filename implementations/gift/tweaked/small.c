/*
 * TweGIFT-128 in small code: GIFT-128's rounds, which take the tweak in.
 *
 * References: see twegift128.h.
 */
#define GIFT128_TWEAKED
#include "../small/encrypt.c"
