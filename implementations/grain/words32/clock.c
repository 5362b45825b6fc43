/*
 * Grain-128AEADv2's registers, 32 clocks at once in 32-bit words.
 *
 * References: "Grain-128AEADv2" (2021), section 2.1 (see grain.h).
 *
 * Taps at the same position in their words are added or multiplied before they are shifted.
 */
#include "state.h"

#if !GRAIN_NATIVE

#include <limits.h>

#include "inline.h"

/* Bits n to n + 31 of the 64 bits high || low. */
ALWAYS_INLINE uint32_t bits(uint32_t low, uint32_t high, unsigned n)
{
    return low >> n | high << (32 - n);
}

/* Ends a part of the work: makes the compiler finish the sums `x` and `y` instead of keeping their
 * terms, and where registers are few, load words again instead of keeping all of them.
 */
#if defined(__GNUC__) && UINT_MAX > 0xffff
#define PART_ENDS(x, y) __asm__ volatile("" : "+r"(x), "+r"(y))
#elif defined(__GNUC__) && !(defined(__clang__) && defined(__AVR__))
#define PART_ENDS(x, y) __asm__ volatile("" : "+r"(x), "+r"(y) : : "memory")
#else
#define PART_ENDS(x, y)
#endif

void grain_clock(grain_words *w, uint32_t *y, uint8_t blocks, uint8_t feedback)
{
    const uint32_t fed_back = (uint32_t)0 - (feedback & 1);

    for (; blocks != 0; blocks--, w++) {
        uint32_t low, high, f, out;

        low = w[0].b;
        high = w[1].b;
        f = bits(low, high, 22) & bits(low, high, 24) & bits(low, high, 25);
        f ^= bits(low, high, 11) & bits(low, high, 13);
        f ^= bits(low, high, 17) & bits(low, high, 18);
        f ^= bits(low, high, 26);
        f ^= low;
        out = bits(low, high, 2) ^ bits(low, high, 15);
        const uint32_t b12 = bits(low, high, 12);
        PART_ENDS(f, out);

        f ^= bits(w[0].b & w[2].b, w[1].b & w[3].b, 3); /* b3 b67 */
        PART_ENDS(f, out);
        f ^= bits((w[0].b & w[1].b) ^ w[2].b, (w[1].b & w[2].b) ^ w[3].b, 27); /* b27 b59 + b91 */
        PART_ENDS(f, out);

        low = w[1].b;
        high = w[2].b;
        f ^= bits(low, high, 24);
        f ^= bits(low, high, 8) & bits(low, high, 16);
        out ^= bits(low, high, 4) ^ bits(low, high, 13);
        const uint32_t b61 = bits(low, high, 29);
        PART_ENDS(f, out);

        low = w[2].b;
        high = w[3].b;
        f ^= b61 & bits(low, high, 1);
        PART_ENDS(f, out);
        f ^= bits(low, high, 4) & bits(low, high, 20);
        f ^= bits(low, high, 6) & bits(low, high, 14) & bits(low, high, 18);
        f ^= high;
        out ^= low ^ bits(low, high, 9) ^ bits(low, high, 25);
        const uint32_t b95 = bits(low, high, 31);
        f ^= bits(low, high, 24) & bits(low, high, 28) & bits(low, high, 29) & b95;
        w[4].b = f;
        PART_ENDS(f, out);

        low = w[2].s;
        high = w[3].s;
        uint32_t l = bits(low, high, 6) ^ bits(low, high, 17) ^ high;
        out ^= bits(low, high, 29);
        uint32_t factor = b95 & bits(low, high, 30);
        const uint32_t s79 = bits(low, high, 15);
        PART_ENDS(l, out);

        high = low;
        low = w[1].s;
        l ^= bits(low, high, 6);
        out ^= s79 & bits(low, high, 28);
        out ^= b95 & bits(low, high, 10);
        PART_ENDS(l, out);

        high = low;
        low = w[0].s;
        factor ^= bits(low, high, 8);
        out ^= b12 & factor;
        out ^= bits(low, high, 13) & bits(low, high, 20);
        l ^= low ^ bits(low, high, 7);
        *y++ = out;
        out &= fed_back;
        w[4].s = l ^ out;
        w[4].b ^= low ^ out;
    }
}

#endif
