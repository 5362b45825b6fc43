/*
 * SKINNY for Romulus-T: each schedule is for one use.
 *
 * References: "Romulus v1.3" (2021), section 2.3 (see romulus.h).
 */
#ifndef PENNYWEIGHT_ROMULUS_VARIANT_H
#define PENNYWEIGHT_ROMULUS_VARIANT_H

#define SKINNY128_ROUNDS 40
#define SKINNY128_TWEAKEYS 3
#define SKINNY128_KEEPS_TK3 0

#endif
