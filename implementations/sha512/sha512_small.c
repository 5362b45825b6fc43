/*
 * SHA-512's compression, one round in a loop over a ring of 16 words of the message schedule.
 *
 * References: FIPS 180-4 (2015), section 6.4.2; same names.
 *
 * Separate functions access working variables and schedule through pointers: on AVR a stack frame
 * of more than 64 bytes cannot be reached with displacements.
 */
#include "bytes.h"
#include "flash.h"
#include "inline.h"
#include "sha512.h"

#if !SHA512_BYTES

/* The next 16 words of the message schedule in place of the last: W_t is element t % 16 of w. */
NEVER_INLINE void expand(uint64_t *w)
{
    for (uint8_t t = 0; t < 16; t++) {
        w[t] = add64(w[t], add64(add64(small_sigma1(w[(t + 14) & 15]), w[(t + 9) & 15]),
                                 small_sigma0(w[(t + 1) & 15])));
    }
}

/* Step 3 with the working variables a to h in v; `kw` is K_t + W_t. */
NEVER_INLINE void step(uint64_t *v, uint64_t kw)
{
    const uint64_t t1 = add64(add64(add64(v[7], big_sigma1(v[4])), ch(v[4], v[5], v[6])), kw);
    const uint64_t t2 = add64(big_sigma0(v[0]), maj(v[0], v[1], v[2]));

    for (uint8_t i = 7; i != 0; i--) {
        v[i] = v[i - 1];
    }
    v[4] = add64(v[4], t1);
    v[0] = add64(t1, t2);
}

void sha512_compress(uint64_t h[8], const uint8_t *block)
{
    uint64_t w[16], v[8];

    for (uint8_t i = 0; i < 8; i++) {
        v[i] = h[i];
    }
    for (uint8_t t = 0; t < 80; t++) {
        if (t < 16) {
            w[t] = load64_be(block);
            block += 8;
        } else if (t % 16 == 0) {
            expand(w);
        }
        step(v, add64(flash_u64(&sha512_k[t]), w[t % 16]));
    }
    for (uint8_t i = 0; i < 8; i++) {
        h[i] = add64(h[i], v[i]);
    }
}

#endif
