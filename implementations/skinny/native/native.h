/*
 * Assembly for SKINNY-128-384+: what it replaces, and where.
 *
 * References: "The SKINNY Family" (2016), section 2; "Romulus v1.3" (2021), section 2.3 (see
 * skinny128.h).
 *
 * The assembly works on the schedule of words32/schedule.h. An implementation uses it if api.h
 * defines PW_ASM, the variant has 40 rounds and three tweakeys, and the target is one of those
 * below; it defines
 *
 *   SKINNY128_NATIVE       if the variant keeps TK3: replaces skinny128_encrypt and
 *                          skinny128_set_tk2; the round tweakeys in a schedule are sliced, four
 *                          words each; there are neither skinny128_add_tk1_upper nor
 *                          skinny128_expand_tk1
 *   SKINNY128_NATIVE_BOTH  if not: replaces skinny128_encrypt_both
 *
 * The functions follow the procedure call standard, run in constant time and use at most 172 bytes
 * of stack, skinny128_encrypt_both 708. Blocks and tweakeys may have any alignment.
 */
#ifndef PENNYWEIGHT_SKINNY_NATIVE_H
#define PENNYWEIGHT_SKINNY_NATIVE_H

#include "api.h"
#include "arm.h"
#include "variant.h"

#if defined(PW_ASM) && PW_ARMV7M && SKINNY128_ROUNDS == 40 && SKINNY128_TWEAKEYS == 3
#if SKINNY128_KEEPS_TK3
#define SKINNY128_NATIVE 1
#else
#define SKINNY128_NATIVE_BOTH 1
#endif
#endif
#endif
