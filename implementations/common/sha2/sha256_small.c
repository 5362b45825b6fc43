/*
 * SHA-256's compression, one round in a loop over a ring of 16 words of the message schedule.
 *
 * References: FIPS 180-4 (2015), section 6.2.2; names as there.
 */
#include "bytes.h"
#include "flash.h"
#include "sha256.h"
#include "sha256_functions.h"

void sha256_compress(uint32_t h[8], const uint8_t *blocks, size_t count)
{
    for (; count != 0; count--) {
        uint32_t w[16]; /* W_{t-16} .. W_{t-1}; W_t in element t % 16 */
        uint32_t a = h[0], b = h[1], c = h[2], d = h[3], e = h[4], f = h[5], g = h[6], hh = h[7];

        for (uint8_t t = 0; t < 64; t++) {
            uint32_t *wt = &w[t & 15];
            uint32_t t1, t2;

            if (t < 16) {
                *wt = load32_be(blocks);
                blocks += 4;
            } else {
                *wt += small_sigma1(w[(t + 14) & 15]) + w[(t + 9) & 15] +
                       small_sigma0(w[(t + 1) & 15]);
            }
            t1 = hh + big_sigma1(e) + ch(e, f, g) + flash_u32(&sha256_k[t]) + *wt;
            t2 = big_sigma0(a) + maj(a, b, c);
            hh = g;
            g = f;
            f = e;
            e = d + t1;
            d = c;
            c = b;
            b = a;
            a = t1 + t2;
        }
        h[0] += a;
        h[1] += b;
        h[2] += c;
        h[3] += d;
        h[4] += e;
        h[5] += f;
        h[6] += g;
        h[7] += hh;
    }
}
