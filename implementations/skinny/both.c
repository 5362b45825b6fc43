/*
 * SKINNY-128 on two blocks, one after the other.
 *
 * References: "The SKINNY Family" (2016), section 2 (see skinny128.h); same names.
 */
#include "skinny128.h"

void skinny128_encrypt_both(uint8_t *a, uint8_t *b, const uint8_t *tk1, const uint8_t *tk2,
                            const uint8_t *tk3)
{
    skinny128_schedule schedule;

    skinny128_set_key_tk2(&schedule, tk3, tk2);
    skinny128_add_tk1_upper(&schedule, tk1 + 8);
    skinny128_encrypt(&schedule, tk1, a);
    skinny128_encrypt(&schedule, tk1, b);
}
