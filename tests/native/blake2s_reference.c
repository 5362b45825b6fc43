/* BLAKE2s's compression function in C, with another name. */
#define blake2_sigma reference_sigma
#define blake2_iv reference_iv
#define blake2_iv_word reference_iv_word
#define blake2_init reference_init
#define blake2_update reference_update
#define blake2_final reference_final
#define blake2_rounds reference_rounds
#include "../../implementations/blake2/blake2.c"
#include "../../implementations/blake2/fast32/rounds.c"

void reference_compress(uint32_t h[8], const uint8_t *block, const uint32_t t[2], uint32_t last)
{
    blake2 state = {.bytes = {t[0], t[1]}};

    for (unsigned i = 0; i < 8; i++) {
        state.h[i] = h[i];
    }
    copy_bytes((uint8_t *)state.m, block, 64);
    compress(&state, 0, last != 0);
    for (unsigned i = 0; i < 8; i++) {
        h[i] = state.h[i];
    }
}
