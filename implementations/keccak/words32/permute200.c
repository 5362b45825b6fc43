/*
 * Keccak-p[200, n] in words of 32 bits.
 *
 * References: FIPS 202 (2015), section 3.3.
 */
#include "keccak200.h"

#include "native/native.h"

#if !KECCAK200_NATIVE

/* The others lack registers for ten words, or instructions for the masks. */
#if defined(__AVR__) || defined(__MSP430__) || defined(__XTENSA__)
#include "copies200.h"
#else
#include "columns200.h"
#endif

#endif
