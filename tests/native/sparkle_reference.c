/* Sparkle in C, with other names. */
#define sparkle_permute reference_permute
#if defined(__AVR__)
#include "../../implementations/sparkle/bytes8/permutation.c"
#else
#include "../../implementations/sparkle/fast32/permutation.c"
#endif
#include "rho.h"

void reference_block(sparkle_state *s, uint8_t *output, const uint8_t *input, uint8_t direction)
{
    sparkle_permute(s, SPARKLE_SLIM);
    schwaemm_take(s, output, input, SCHWAEMM_RATE, direction);
}
