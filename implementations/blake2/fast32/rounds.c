/*
 * The rounds of BLAKE2 with one written out. Four of the sixteen words at a time are in registers.
 *
 * References: RFC 7693 (2015), sections 3.1 and 3.2; same names.
 */
#include "blake2.h"

#if !BLAKE2S_NATIVE

#include "flash.h"
#include "g.h"
#include "keep.h"

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
