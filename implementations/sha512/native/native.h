/*
 * Assembly for SHA-512: what it replaces, and where.
 *
 * References: FIPS 180-4 (2015), section 6.4.2.
 *
 * An implementation uses it if api.h defines PW_ASM and the target is one of those below; it
 * defines
 *
 *   SHA512_NATIVE  sha512_compress replaces the one in C
 *
 * The function follows the procedure call standard, runs in constant time and uses 376 bytes of
 * stack. The block may have any alignment.
 */
#ifndef PENNYWEIGHT_SHA512_NATIVE_H
#define PENNYWEIGHT_SHA512_NATIVE_H

#include "api.h"
#include "arm.h"

#if defined(PW_ASM) && PW_ARMV7M

#define SHA512_NATIVE 1

#else

#define SHA512_NATIVE 0

#endif
#endif
