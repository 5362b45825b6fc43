/*
 * SKINNY for Romulus-M: every second block of associated data and message is a tweakey.
 *
 * References: "Romulus v1.3" (2021), section 2.3 (see romulus.h).
 */
#ifndef PENNYWEIGHT_ROMULUS_VARIANT_H
#define PENNYWEIGHT_ROMULUS_VARIANT_H

#define SKINNY128_ROUNDS 40
#define SKINNY128_TWEAKEYS 3
#define SKINNY128_KEEPS_TK3 1

#endif
