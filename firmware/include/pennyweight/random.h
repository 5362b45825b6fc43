/*
 * Random words for masked implementations.
 *
 * The source is an option of the measurement (`--random`): the part's generator, a nearly free one,
 * or one in software. See docs/howto/masking.md and firmware/random/.
 */
#ifndef PENNYWEIGHT_RANDOM_H
#define PENNYWEIGHT_RANDOM_H

#include <stdint.h>

/* The next random word. */
uint32_t pw_random32(void);

#endif
