/*
 * Keccak-p[200, n] in bytes, in straight code. AVR reaches all of the two arrays with one pointer.
 *
 * References: FIPS 202 (2015), section 3.3.
 */
#include "lanes/bytes.h"

#include "bytes.h"
#include "constants.h"
#include "flash.h"
#include "keccak200.h"
#include "round.h"

void keccak200_permute(uint8_t *state, uint8_t rounds)
{
    static const uint8_t constants[KECCAK200_ROUNDS] IN_FLASH = KECCAK200_CONSTANTS;
    uint8_t a[KECCAK200_BYTES], e[KECCAK200_BYTES];
    const uint8_t *result = a;

    copy_bytes(a, state, KECCAK200_BYTES);
    for (uint8_t i = (uint8_t)(KECCAK200_ROUNDS - rounds); i < KECCAK200_ROUNDS; i++) {
        keccak_round(e, a);
        e[0] ^= flash_u8(&constants[i]);
        i++;
        if (i == KECCAK200_ROUNDS) {
            result = e;
            break;
        }
        keccak_round(a, e);
        a[0] ^= flash_u8(&constants[i]);
    }
    copy_bytes(state, result, KECCAK200_BYTES);
}
