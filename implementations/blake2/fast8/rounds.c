/*
 * The rounds of BLAKE2b in bytes, for 8-bit machines, with one written out. Of the four words of G,
 * three are in registers, and c is not.
 *
 * References: RFC 7693 (2015), sections 3.1 and 3.2; same names. AVR Instruction Set Manual
 * (DS40002198): ADC, EOR, LDD, STD.
 */
#include "blake2.h"

#include "flash.h"
#include "inline.h"
#include "word64.h"

/* The i-th of the words at `v`, for a constant i <= 7. */
ALWAYS_INLINE word load(const blake2_word *v, uint8_t i)
{
#if BLAKE2_LITTLE_ENDIAN
    return load_word_at((const uint8_t *)v, (uint8_t)(8 * i));
#else
    word x;

    store64_le(x.b, v[i]);
    return x;
#endif
}

/* Writes `x` to it. */
ALWAYS_INLINE void store(blake2_word *v, uint8_t i, const word *x)
{
#if BLAKE2_LITTLE_ENDIAN
    store_word_at((uint8_t *)v, (uint8_t)(8 * i), x);
#else
    v[i] = load64_le(x->b);
#endif
}

/* x += v[i] */
ALWAYS_INLINE void sum(word *x, const blake2_word *v, uint8_t i)
{
#if BLAKE2_LITTLE_ENDIAN
    sum_bytes(x, (const uint8_t *)v, (uint8_t)(8 * i));
#else
    const word y = load(v, i);

    sum_word(x, &y);
#endif
}

/* The word `n` bytes after m[0]. */
ALWAYS_INLINE const blake2_word *bytes_after(const blake2_word *m, uint8_t n)
{
    return (const blake2_word *)(const void *)((const uint8_t *)m + n);
}

/* c += d; b ^= c, where c is v[i]. On AVR the XOR preserves the carry. */
ALWAYS_INLINE void sum_and_add(word *b, blake2_word *v, uint8_t i, const word *d)
{
#if defined(__AVR__) && !defined(__clang__) && defined(__OPTIMIZE__)
#define BYTE(add, byte, b, d)                                                                      \
    "ldd __tmp_reg__, %a16+%17+" #byte "\n\t" add " __tmp_reg__, %" #d "\n\t"                      \
    "std %a16+%17+" #byte ", __tmp_reg__\n\teor %" #b ", __tmp_reg__\n\t"
    __asm__ volatile(BYTE("add", 0, 0, 8) BYTE("adc", 1, 1, 9) BYTE("adc", 2, 2, 10)
                         BYTE("adc", 3, 3, 11) BYTE("adc", 4, 4, 12) BYTE("adc", 5, 5, 13)
                             BYTE("adc", 6, 6, 14) BYTE("adc", 7, 7, 15)
                     : ALL_BYTES_EARLY(b)
                     : "r"(d->b[0]), "r"(d->b[1]), "r"(d->b[2]), "r"(d->b[3]), "r"(d->b[4]),
                       "r"(d->b[5]), "r"(d->b[6]), "r"(d->b[7]), "b"(v), "I"(8 * i)
                     : "memory");
#undef BYTE
#else
    word c = load(v, i);

    sum_word(&c, d);
    store(v, i, &c);
    add_rotated(b, &c, 0);
#endif
}

/* G on the words i and j of v, k and l of its second half, with the next two of the message. The
 * volatile pointer is spilled to the stack; otherwise words would be. */
#define G(i, j, k, l)                                                                              \
    do {                                                                                           \
        const uint8_t *const next = sigma, pair = flash_u8(next);                                  \
        const blake2_word *const block = m;                                                        \
        const blake2_word *volatile y = bytes_after(block, pair >> 1 & 120);                       \
        word a = load(bytes_after(block, (uint8_t)(pair << 3) & 120), 0), b, d;                    \
                                                                                                   \
        sigma = next + 1;                                                                          \
        sum(&a, v, i);                                                                             \
        b = load(v, j);                                                                            \
        sum_word(&a, &b);                                                                          \
        d = load(v + 8, l);                                                                        \
        add_rotated(&d, &a, 0);                                                                    \
        d = rotated_bytes(&d, BLAKE2_R1 / 8);                                                      \
        sum_and_add(&b, v + 8, k, &d);                                                             \
        b = rotated_bytes(&b, BLAKE2_R2 / 8);                                                      \
        sum(&a, y, 0);                                                                             \
        sum_word(&a, &b);                                                                          \
        add_rotated(&d, &a, 0);                                                                    \
        store(v, i, &a);                                                                           \
        d = rotated_bytes(&d, BLAKE2_R3 / 8);                                                      \
        sum_and_add(&b, v + 8, k, &d);                                                             \
        store(v + 8, l, &d);                                                                       \
        rotate(&b, BLAKE2_R4 - 64);                                                                \
        store(v, j, &b);                                                                           \
    } while (0)

void blake2_rounds(blake2_word *v, const blake2_word *message)
{
    const blake2_word *volatile m = message;
    const uint8_t *volatile sigma = blake2_sigma;

    for (uint8_t n = 0; n < BLAKE2_ROUNDS; n++) {
        if (n == 10) { /* rounds 10 and 11 repeat 0 and 1 */
            sigma = blake2_sigma;
        }
        G(0, 4, 0, 4);
        G(1, 5, 1, 5);
        G(2, 6, 2, 6);
        G(3, 7, 3, 7);
        G(0, 5, 2, 7);
        G(1, 6, 3, 4);
        G(2, 7, 0, 5);
        G(3, 4, 1, 6);
    }
}
