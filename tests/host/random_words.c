/*
 * Words for the masks of implementations under test on the host: a Weyl sequence, not random. The
 * answers must not depend on them.
 */
#include "pennyweight/random.h"

uint32_t pw_random32(void)
{
    static uint32_t state;

    return state += UINT32_C(0x9e3779b9);
}
