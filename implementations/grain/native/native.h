/*
 * Assembly for Grain-128AEADv2: what it replaces, and where.
 *
 * References: "Grain-128AEADv2" (2021), sections 2.1 and 2.3 (see grain.h).
 *
 * An implementation uses it if api.h defines PW_ASM and the target has Armv7-M's instructions. It
 * defines GRAIN_NATIVE then, and replaces grain_clock and grain_authenticate.
 *
 * All functions follow the procedure call standard, run in constant time and use at most 60 bytes
 * of stack. Input and output may have any alignment; the output may be the input.
 */
#ifndef PENNYWEIGHT_GRAIN_NATIVE_H
#define PENNYWEIGHT_GRAIN_NATIVE_H

#include <stddef.h>
#include <stdint.h>

#include "api.h"
#include "arm.h"

#if defined(PW_ASM) && PW_ARMV7M

#define GRAIN_NATIVE 1

/* Takes `groups` >= 1 times 32 bits of m' as grain_bytes does, with the state in the four elements
 * from `w` on, which stays there. `direction` is a grain_direction. */
void grain_take_groups(grain_words *w, grain_authenticator *a, uint8_t *output,
                       const uint8_t *input, size_t groups, unsigned direction);

#endif
#endif
