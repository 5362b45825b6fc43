/*
 * Checks that code compiled with a board's flags runs on its core: arithmetic and calls for which
 * compilers use all instructions that the flags allow. Returns 0 if all results are right, else the
 * number of the first wrong one. Portable C; correct with a 16-bit int.
 */
#include <stdint.h>

static volatile uint32_t left = 0x12345678;
static volatile uint32_t right = 0x9abcdef0;
static volatile uint8_t one = 1;

__attribute__((noinline)) static uint32_t steps(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    uint32_t x = a, y = b, z = c, w = d;

    for (uint8_t i = 0; i < 8; i++) {
        x += y ^ (w >> 7);
        y = (y << 13 | y >> 19) - z;
        z ^= x & 0x00ff00ff;
        w = (w << 5 | w >> 27) + x;
        if (w & 1) {
            w ^= 0xedb88320;
        }
    }
    return x ^ y ^ z ^ w;
}

__attribute__((noinline)) static uint32_t other(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    return a + b + c + d;
}

typedef uint32_t function(uint32_t, uint32_t, uint32_t, uint32_t);
static function *const volatile functions[2] = {other, steps};

int pw_probe(void)
{
    const uint32_t a = left, b = right;

    if (b / (a & 0xffff) != 0x1ca1e) {
        return 1;
    }
    if ((uint64_t)a * b != 0x0b00ea4e242d2080u) {
        return 2;
    }
    if ((int32_t)b >> 4 != (int32_t)0xf9abcdef) {
        return 3;
    }
    if (functions[one](a, b, a ^ b, a & b) != steps(a, b, a ^ b, a & b)) {
        return 4;
    }
    return 0;
}
