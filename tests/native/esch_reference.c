/* Sparkle and Esch in C, with other names. */
#define sparkle_permute reference_permute
#include "../../implementations/sparkle/esch/hash.c"
#define ell linear_ell
#include "../../implementations/sparkle/fast32/permutation.c"

void reference_absorb(sparkle_state *s, const uint8_t *block)
{
    absorb(s, block);
}

void reference_finalize(sparkle_state *s, const uint8_t *block, uint8_t *digest)
{
    hash_state state = {.s = *s, .taken = ESCH_RATE};

    copy_bytes(state.block, block, ESCH_RATE);
    state.s.bytes[4 * SPARKLE_BRANCHES - 1] ^= 2; /* as hash_final does for a full block */
    hash_final(&state, digest);
}
