/*
 * A word of Ascon's state: with its bits interleaved, or in two halves for assembly that processes
 * bytes.
 *
 * References: see lane.h and whole_lane.h.
 */
#ifndef PENNYWEIGHT_ASCON_MASKED_WORD_H
#define PENNYWEIGHT_ASCON_MASKED_WORD_H

#include "native/native.h"

#if MASKED_WHOLE_LANES
#include "whole_lane.h"
#else
#include "lane.h"
#endif

#endif
