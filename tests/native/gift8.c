/* Compares the assembly of GIFT-128 on bytes with its C. */
#define PW_ASM8
#include "compare.h"
#include "gift128.h"

void reference_encrypt(gift128_state *state, const gift128_key *key);

void compare_all(void)
{
    static gift128_key key;
    gift128_state a, b;

    for (uint8_t i = 0; i < 20; i++) {
        fill_random(&key, sizeof key);
        fill_equal(&a, &b, sizeof a);
        gift128_encrypt(&a, &key);
        reference_encrypt(&b, &key);
        compare(&a, &b, sizeof a);
    }
}
