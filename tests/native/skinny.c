/* Compares the assembly of SKINNY-128-384+ with its C. */
#define PW_ASM
#include "../../implementations/skinny/words32/schedule.c"
#include "compare.h"

void reference_encrypt(const uint8_t *key, const uint8_t *tk2, const uint8_t *lower,
                       uint8_t *block);

void compare_all(void)
{
    static skinny128_schedule schedule;
    uint8_t bytes[3][16 + 3], a[16 + 3], b[16 + 3];

    for (unsigned i = 0; i < 12; i++) {
        const unsigned offset = i % 4;

        fill_random(bytes, sizeof bytes);
        fill_equal(a, b, sizeof a);
        skinny128_set_key(&schedule, bytes[0] + offset);
        skinny128_set_tk2(&schedule, bytes[1] + offset);
        skinny128_encrypt(&schedule, bytes[2] + offset, a + offset);
        reference_encrypt(bytes[0] + offset, bytes[1] + offset, bytes[2] + offset, b + offset);
        compare(a, b, sizeof a);
    }
}
