/*
 * SHA-256's compression for 32-bit words in registers: 16 rounds per iteration, so neither working
 * variables nor message schedule move.
 *
 * References: FIPS 180-4 (2015), section 6.2.2; same names.
 */
#include "bytes.h"
#include "flash.h"
#include "sha256.h"
#include "sha256_functions.h"

#if !SHA256_NATIVE

/* One round with W_t = `wt`. Instead of moving all variables, the caller renames them by one
 * position: the new a is in `h`, the new e in `d`. */
#define ROUND(a, b, c, d, e, f, g, h, wt)                                                          \
    do {                                                                                           \
        h += big_sigma1(e) + ch(e, f, g) + flash_u32(k++) + (wt);                                  \
        d += h;                                                                                    \
        h += big_sigma0(a) + maj(a, b, c);                                                         \
    } while (0)

/* W_t for t >= 16 and t % 16 = i, in place of W_{t-16}. */
#define SCHEDULE(i)                                                                                \
    (w[i] += small_sigma1(w[((i) + 14) & 15]) + w[((i) + 9) & 15] + small_sigma0(w[((i) + 1) & 15]))

/* W_t for t = i < 16. */
#define LOAD(i) (w[i] = load32_be(blocks + 4 * (i)))

/* Eight rounds, W_t by WORD(i), WORD(i + 1), ... */
#define EIGHT_ROUNDS(WORD, i)                                                                      \
    do {                                                                                           \
        ROUND(a, b, c, d, e, f, g, h, WORD((i) + 0));                                              \
        ROUND(h, a, b, c, d, e, f, g, WORD((i) + 1));                                              \
        ROUND(g, h, a, b, c, d, e, f, WORD((i) + 2));                                              \
        ROUND(f, g, h, a, b, c, d, e, WORD((i) + 3));                                              \
        ROUND(e, f, g, h, a, b, c, d, WORD((i) + 4));                                              \
        ROUND(d, e, f, g, h, a, b, c, WORD((i) + 5));                                              \
        ROUND(c, d, e, f, g, h, a, b, WORD((i) + 6));                                              \
        ROUND(b, c, d, e, f, g, h, a, WORD((i) + 7));                                              \
    } while (0)

void sha256_compress(uint32_t hash[8], const uint8_t *blocks, size_t count)
{
    for (; count != 0; count--) {
        const uint32_t *k = sha256_k;
        uint32_t w[16];
        uint32_t a = hash[0], b = hash[1], c = hash[2], d = hash[3];
        uint32_t e = hash[4], f = hash[5], g = hash[6], h = hash[7];

        EIGHT_ROUNDS(LOAD, 0);
        EIGHT_ROUNDS(LOAD, 8);
        for (uint8_t turn = 0; turn < 3; turn++) {
            EIGHT_ROUNDS(SCHEDULE, 0);
            EIGHT_ROUNDS(SCHEDULE, 8);
        }
        hash[0] += a;
        hash[1] += b;
        hash[2] += c;
        hash[3] += d;
        hash[4] += e;
        hash[5] += f;
        hash[6] += g;
        hash[7] += h;
        blocks += 64;
    }
}

#endif
