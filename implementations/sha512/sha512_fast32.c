/*
 * SHA-512's compression, eight rounds per iteration, so that the working variables do not move.
 *
 * References: FIPS 180-4 (2015), section 6.4.2; same names.
 *
 * Few cores have enough registers for the working variables: on the others, a pointer gives access
 * to those of one round.
 */
#include "sha512.h"

#if !SHA512_NATIVE

#include "bytes.h"
#include "flash.h"
#include "inline.h"
#include "keep.h"

/* W_t in place of W_{t-16}; t % 16 = i. */
ALWAYS_INLINE void schedule(uint64_t *w, unsigned i)
{
    w[i] = add64(w[i], add64(add64(small_sigma1(w[(i + 14) & 15]), w[(i + 9) & 15]),
                             small_sigma0(w[(i + 1) & 15])));
}

/* The working variables: words in registers, or in memory at v. */
#if (defined(__riscv) && !defined(__riscv_32e)) || defined(__mips__)
#define V(i) v##i
#define LOAD_VARIABLES()                                                                           \
    uint64_t v0 = v[0], v1 = v[1], v2 = v[2], v3 = v[3], v4 = v[4], v5 = v[5], v6 = v[6], v7 = v[7]
#define STORE_VARIABLES()                                                                          \
    (v[0] = v0, v[1] = v1, v[2] = v2, v[3] = v3, v[4] = v4, v[5] = v5, v[6] = v6, v[7] = v7)
#define KEEP_VARIABLES() ((void)0)
#else
#define V(i) v[i]
#define LOAD_VARIABLES() ((void)0)
#define STORE_VARIABLES() ((void)0)
#define KEEP_VARIABLES() KEEP_POINTER(v)
#endif

/* One round with K_t and W_t. Instead of moving all variables, the caller renames them by one
 * position: the new a is in V(h), the new e in V(d). */
#define ROUND(a, b, c, d, e, f, g, h)                                                              \
    do {                                                                                           \
        uint64_t t1 = add64(add64(V(h), flash_u64(k++)), *w++);                                    \
                                                                                                   \
        t1 = add64(t1, ch(V(e), V(f), V(g)));                                                      \
        t1 = add64(t1, big_sigma1(V(e)));                                                          \
        V(d) = add64(V(d), t1);                                                                    \
        t1 = add64(t1, maj(V(a), V(b), V(c)));                                                     \
        V(h) = add64(t1, big_sigma0(V(a)));                                                        \
        KEEP_VARIABLES();                                                                          \
    } while (0)

/* Eight rounds, with eight of the words. */
NEVER_INLINE void eight_rounds(uint64_t *v, const uint64_t *k, const uint64_t *w)
{
    LOAD_VARIABLES();
    ROUND(0, 1, 2, 3, 4, 5, 6, 7);
    ROUND(7, 0, 1, 2, 3, 4, 5, 6);
    ROUND(6, 7, 0, 1, 2, 3, 4, 5);
    ROUND(5, 6, 7, 0, 1, 2, 3, 4);
    ROUND(4, 5, 6, 7, 0, 1, 2, 3);
    ROUND(3, 4, 5, 6, 7, 0, 1, 2);
    ROUND(2, 3, 4, 5, 6, 7, 0, 1);
    ROUND(1, 2, 3, 4, 5, 6, 7, 0);
    STORE_VARIABLES();
}

void sha512_compress(uint64_t h[8], const uint8_t *block)
{
    const uint64_t *k = sha512_k;
    uint64_t w[16], v[8];

    for (uint8_t i = 0; i < 8; i++) {
        v[i] = h[i];
    }
    for (uint8_t i = 0; i < 16; i++) {
        w[i] = load64_be(block);
        block += 8;
    }
    for (uint8_t turn = 0; turn < 5; turn++) {
        if (turn != 0) {
            for (uint8_t i = 0; i < 16; i++) {
                schedule(w, i);
            }
        }
        eight_rounds(v, k, w);
        eight_rounds(v, k + 8, w + 8);
        k += 16;
    }
    for (uint8_t i = 0; i < 8; i++) {
        h[i] = add64(h[i], v[i]);
    }
}

#endif
