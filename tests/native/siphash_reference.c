/* SipHash's rounds in C, with other names. */
#include "../../implementations/siphash/mac.c"

void reference_absorb(uint64_t v[4], const uint8_t *words, size_t count)
{
    mac_state state = {.v = {v[0], v[1], v[2], v[3]}};

    for (; count != 0; count--) {
        compress(&state, words);
        words += 8;
    }
    for (unsigned i = 0; i < 4; i++) {
        v[i] = state.v[i];
    }
}

void reference_finish(uint64_t v[4])
{
    sip_rounds(v, 4);
}
