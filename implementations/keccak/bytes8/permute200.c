/*
 * Keccak-p[200, n] in bytes, in straight code.
 *
 * References: FIPS 202 (2015), section 3.3.
 */
#include "keccak200.h"
#include "native/native.h"

#ifndef KECCAK200_NATIVE

#include "lanes/bytes.h"

#include "bytes.h"
#include "constants.h"
#include "flash.h"
#include "round.h"

/* A round with the constant `c`, from `a` to `e`. */
NEVER_INLINE void keccak200_round(uint8_t *e, const uint8_t *a, uint8_t c)
{
    keccak_round(e, a);
    e[0] ^= c;
}

void keccak200_permute(uint8_t *state, uint8_t rounds)
{
    static const uint8_t constants[KECCAK200_ROUNDS] IN_FLASH = {KECCAK200_CONSTANTS};
    const uint8_t *constant = &constants[KECCAK200_ROUNDS - rounds];
    uint8_t other[KECCAK200_BYTES];

    for (; rounds >= 2; rounds = (uint8_t)(rounds - 2)) {
        keccak200_round(other, state, flash_u8(constant++));
        keccak200_round(state, other, flash_u8(constant++));
    }
    if (rounds != 0) {
        keccak200_round(other, state, flash_u8(constant));
        copy_bytes(state, other, KECCAK200_BYTES);
    }
}

#endif
