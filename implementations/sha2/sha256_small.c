/*
 * SHA-256's compression, one round in a loop over a ring of 16 words of the message schedule.
 *
 * References: FIPS 180-4 (2015), section 6.2.2; same names.
 */
#include "bytes.h"
#include "flash.h"
#include "inline.h"
#include "sha256.h"
#include "sha256_functions.h"

#if !SHA256_WINDOW

/* The next 16 words of the message schedule in place of the last: W_t is element t % 16 of w. */
NEVER_INLINE void expand(uint32_t w[16])
{
    for (uint8_t t = 0; t < 16; t++) {
        w[t] += small_sigma1(w[(t + 14) & 15]) + w[(t + 9) & 15] + small_sigma0(w[(t + 1) & 15]);
    }
}

/* Step 3 with the working variables a to h in v; `kw` is K_t + W_t. */
NEVER_INLINE void step(uint32_t v[8], uint32_t kw)
{
    const uint32_t t1 = v[7] + big_sigma1(v[4]) + ch(v[4], v[5], v[6]) + kw;
    const uint32_t t2 = big_sigma0(v[0]) + maj(v[0], v[1], v[2]);

    v[7] = v[6];
    v[6] = v[5];
    v[5] = v[4];
    v[4] = v[3] + t1;
    v[3] = v[2];
    v[2] = v[1];
    v[1] = v[0];
    v[0] = t1 + t2;
}

void sha256_compress(uint32_t h[8], const uint8_t *blocks, size_t count)
{
    for (; count != 0; count--) {
        uint32_t w[16], v[8];

        for (uint8_t i = 0; i < 8; i++) {
            v[i] = h[i];
            NO_LIBRARY_CALL();
        }
        for (uint8_t t = 0; t < 64; t++) {
            if (t < 16) {
                w[t] = load32_be(blocks);
                blocks += 4;
            } else if (t % 16 == 0) {
                expand(w);
            }
            step(v, flash_u32(&sha256_k[t]) + w[t % 16]);
        }
        for (uint8_t i = 0; i < 8; i++) {
            h[i] += v[i];
        }
    }
}

#endif
