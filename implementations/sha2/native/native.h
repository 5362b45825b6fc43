/*
 * Assembly for SHA-256: what it replaces, and where.
 *
 * References: FIPS 180-4 (2015), section 6.2.2.
 *
 * An implementation uses it if api.h defines PW_ASM and the target is one of those below; it
 * defines
 *
 *   SHA256_NATIVE  sha256_compress replaces the one in C
 *
 * The function follows the procedure call standard, runs in constant time and uses 112 bytes of
 * stack. Blocks may have any alignment, and there may be none.
 */
#ifndef PENNYWEIGHT_SHA256_NATIVE_H
#define PENNYWEIGHT_SHA256_NATIVE_H

#include "api.h"
#include "arm.h"
#include "riscv.h"

#if defined(PW_ASM) && (PW_ARMV7M || PW_RV32I)

#define SHA256_NATIVE 1

#else

#define SHA256_NATIVE 0

#endif
#endif
