/*
 * The two halves of Grain-128AEADv2's pre-output, on an AVR.
 *
 * References: "Grain-128AEADv2" (2021), section 2.3 (see grain.h).
 */
#include "state.h"

#if defined(__AVR__) && !defined(__clang__)

/* Moves the bits of `y` alternately into `z` and `r`, from above. */
#define PART(z, r, y)                                                                              \
    __asm__("lsr %2\n\tror %0\n\tlsr %2\n\tror %1\n\tlsr %2\n\tror %0\n\tlsr %2\n\tror %1\n\t"     \
            "lsr %2\n\tror %0\n\tlsr %2\n\tror %1\n\tlsr %2\n\tror %0\n\tlsr %2\n\tror %1"         \
            : "+r"(z), "+r"(r), "+r"(y))

void grain_separate(const uint32_t *y, uint32_t *z, uint32_t *r)
{
    const uint8_t *from = (const uint8_t *)y;
    uint8_t *even = (uint8_t *)z, *odd = (uint8_t *)r;

    for (uint8_t i = 4; i != 0; i--) {
        uint8_t e = 0, o = 0, low = *from++, high = *from++;

        PART(e, o, low);
        PART(e, o, high);
        *even++ = e;
        *odd++ = o;
    }
}

#else

#include "../words32/separate.c"

#endif
