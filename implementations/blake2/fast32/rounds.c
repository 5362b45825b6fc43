/*
 * The rounds of BLAKE2 with one written out. Four of the sixteen words at a time are in registers.
 * RV32I has registers for all words of BLAKE2s: there, all rounds are written out.
 *
 * References: RFC 7693 (2015), sections 3.1 and 3.2; same names.
 */
#include "blake2.h"

#if !BLAKE2S_NATIVE

#include "flash.h"
#include "g.h"
#include "keep.h"
#include "riscv.h"
#include "sigma.h"

#if PW_RV32I && BLAKE2_BLOCK == 64

#define G(i, j, k, l, pair) BLAKE2_G(v##i, v##j, v##k, v##l, m[(pair) & 15], m[(pair) >> 4])

#define ROUND(a, b, c, d, e, f, g, h)                                                              \
    G(0, 4, 8, 12, a);                                                                             \
    G(1, 5, 9, 13, b);                                                                             \
    G(2, 6, 10, 14, c);                                                                            \
    G(3, 7, 11, 15, d);                                                                            \
    G(0, 5, 10, 15, e);                                                                            \
    G(1, 6, 11, 12, f);                                                                            \
    G(2, 7, 8, 13, g);                                                                             \
    G(3, 4, 9, 14, h);

void blake2_rounds(blake2_word *v, const blake2_word *m)
{
    uint32_t v0 = v[0], v1 = v[1], v2 = v[2], v3 = v[3], v4 = v[4], v5 = v[5], v6 = v[6];
    uint32_t v7 = v[7], v8 = v[8], v9 = v[9], v10 = v[10], v11 = v[11], v12 = v[12], v13 = v[13];
    uint32_t v14 = v[14], v15 = v[15];

    BLAKE2_SIGMA(ROUND)
    v[0] = v0;
    v[1] = v1;
    v[2] = v2;
    v[3] = v3;
    v[4] = v4;
    v[5] = v5;
    v[6] = v6;
    v[7] = v7;
    v[8] = v8;
    v[9] = v9;
    v[10] = v10;
    v[11] = v11;
    v[12] = v12;
    v[13] = v13;
    v[14] = v14;
    v[15] = v15;
}

#else

/* G on four words of v, with the next two words of the message. */
#define G(i, j, k, l)                                                                              \
    do {                                                                                           \
        const uint8_t pair = flash_u8(sigma++);                                                    \
        blake2_word a = v[i], b = v[j], c = v[k], d = v[l];                                        \
                                                                                                   \
        BLAKE2_G(a, b, c, d, m[pair & 15], m[pair >> 4]);                                          \
        v[i] = a;                                                                                  \
        v[j] = b;                                                                                  \
        v[k] = c;                                                                                  \
        v[l] = d;                                                                                  \
        KEEP_POINTER(v);                                                                           \
    } while (0)

void blake2_rounds(blake2_word *v, const blake2_word *m)
{
    const uint8_t *sigma = blake2_sigma;

    for (uint8_t n = 0; n < BLAKE2_ROUNDS; n++) {
        if (n == 10) { /* rounds 10 and 11 of BLAKE2b repeat 0 and 1 */
            sigma = blake2_sigma;
        }
        G(0, 4, 8, 12);
        G(1, 5, 9, 13);
        G(2, 6, 10, 14);
        G(3, 7, 11, 15);
        G(0, 5, 10, 15);
        G(1, 6, 11, 12);
        G(2, 7, 8, 13);
        G(3, 4, 9, 14);
    }
}

#endif
#endif
