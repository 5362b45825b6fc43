/* SKINNY-128-384+ in C, with another name: all of it for a block. */
#define skinny128_set_key reference_set_key
#define skinny128_set_tk2 reference_set_tk2
#define skinny128_encrypt skinny128_encrypt_in_c
#include "../../implementations/skinny/bitsliced32/encrypt.c"
#undef ROUND
#include "../../implementations/skinny/words32/schedule.c"

void reference_encrypt(const uint8_t *key, const uint8_t *tk2, const uint8_t *lower, uint8_t *block)
{
    static skinny128_schedule schedule;

    skinny128_set_key(&schedule, key);
    skinny128_set_tk2(&schedule, tk2);
    skinny128_encrypt(&schedule, lower, block);
}
