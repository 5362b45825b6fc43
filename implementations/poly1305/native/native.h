/*
 * Assembly for Poly1305: what it replaces, and where.
 *
 * References: RFC 8439 (2018), section 2.5.
 *
 * The assembly works on the state of fast32/poly1305.h. An implementation uses it if api.h defines
 * PW_ASM and the target is one of those below; it defines
 *
 *   POLY1305_NATIVE_BLOCKS  poly1305_blocks replaces the one in C, where products of 32 by 32 to 64
 *                           bits take one cycle (Cortex-M4)
 *
 * The function follows the procedure call standard, runs in constant time and uses 72 bytes of
 * stack. Blocks may have any alignment.
 */
#ifndef PENNYWEIGHT_POLY1305_NATIVE_H
#define PENNYWEIGHT_POLY1305_NATIVE_H

#include "api.h"
#include "arm.h"

#if defined(PW_ASM) && PW_ARMV7M && PW_ARM_DSP

#define POLY1305_NATIVE_BLOCKS 1

#endif
#endif
