/*
 * Elephant up to four blocks at a time.
 *
 * References: none beyond "Elephant v2" (see aead_state.h).
 */
#ifndef PENNYWEIGHT_ELEPHANT_PARALLEL_H
#define PENNYWEIGHT_ELEPHANT_PARALLEL_H

#define ELEPHANT_LANES 4

#endif
