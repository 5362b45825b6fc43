/*
 * Spongent-pi in slices of 16 bits, and on AVR in registers, with two exchanges of axes per round.
 *
 * References: "Elephant v2" (2021), section 2 (see spongent.h).
 *
 * pLayer moves bit 4 i + k of the state, of b bits, to bit i + k b/4. It converts four bytes, eight
 * nibbles, to a byte for each k: bit 2 j + h of byte k was bit k of nibble h of byte j. The number
 * of a bit in its byte has three binary digits, (h k1 k0), that of its byte two, (j1 j0). To
 * exchange j1 with k0, and j0 with k1, moves each bit to its byte, but leaves (h j0 j1) instead of
 * (j1 j0 h): the digits are reversed, bits 1 and 4 exchanged, and bits 3 and 6. The next round
 * starts from that order: the same exchanges lead back to the usual one.
 */
#include "constants.h"
#include "flash.h"
#include "spongent.h"

static const uint8_t constants[2 * SPONGENT_ROUNDS] IN_FLASH = {SPONGENT_CONSTANTS};

#if defined(__AVR__) && !defined(__clang__)

#include "avr.h"

#define LOAD(r) "ld " #r ", X+\n\t"
#define STORE(r) "st -X, " #r "\n\t"

void spongent_permute(uint8_t *state)
{
    const uint8_t *constant = constants;

    /* clang-format off */
    __asm__ volatile(
        DEFINE_MACROS
        "push r28\n\t"
        "push r29\n\t"
        EACH_BYTE(LOAD)
        "push r26\n\t"
        "push r27\n"
        "1:\n\t"
        TWO_ROUNDS
        "cpi r30, lo8(%[end])\n\t"
        "breq 2f\n\t"
        "rjmp 1b\n"
        "2:\n\t"
        "pop r27\n\t"
        "pop r26\n\t"
        EACH_BYTE_FROM_LAST(STORE)
        "clr __zero_reg__\n\t"
        "pop r29\n\t"
        "pop r28\n\t"
        FORGET_MACROS
        : "+x"(state), "+z"(constant)
        : [end] "i"(constants + sizeof constants)
        : "r0", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12", "r13", "r14",
          "r15", "r16", "r17", "r18", "r19", "r20", "r21", "r22", "r23", "r24", "r25", "memory");
    /* clang-format on */
}

#else

#include "inline.h"
#include "sbox.h"

/* Bytes B and B + 4, for B / 4 even, are the lower and upper one of a word, so that two groups of
 * four bytes are processed at once. */
enum { WORDS = 12 };

/* The position of byte `i` of the state in the words. */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define PLACE(i) ((i) / 8 * 8 + (i) % 4 * 2 + (1 - (i) / 4 % 2))
#else
#define PLACE(i) ((i) / 8 * 8 + (i) % 4 * 2 + (i) / 4 % 2)
#endif

/* The distance of the exchange of j1 with k0, given by the bit order at the start of a round. */
enum {
    USUAL = 1,  /* (h k1 k0), and (h j0 j1) after it */
    TURNED = 4, /* (k0 k1 h), and (j1 j0 h) after it */
};

/* The lower bits of exchanges over a distance of `n`. */
#define LOWER(n) ((uint16_t)((n) == 1 ? 0x5555 : (n) == 2 ? 0x3333 : 0x0f0f))

#if defined(__MSP430__) && defined(__GNUC__) && !defined(__clang__)
/* `x` shifted right by `n` bits; its upper `n` bits are undefined: RRA repeats the sign, and takes
 * half the cycles of shifting in zeros. */
ALWAYS_INLINE uint16_t right(uint16_t x, uint8_t n)
{
    return (uint16_t)((int16_t)x >> n);
}

/* `x` with its bytes swapped, by an instruction that compilers do not use. */
ALWAYS_INLINE uint16_t swapped(uint16_t x)
{
    __asm__("swpb %0" : "+r"(x));
    return x;
}
#else
/* `x` shifted right by `n` bits; its upper `n` bits are undefined. */
ALWAYS_INLINE uint16_t right(uint16_t x, uint8_t n)
{
    return (uint16_t)(x >> n);
}

/* `x` with its bytes swapped. */
ALWAYS_INLINE uint16_t swapped(uint16_t x)
{
    return (uint16_t)(x << 8 | x >> 8);
}
#endif

/* Exchanges the bits of `a` under LOWER(n) << n with those of `b` under LOWER(n). */
#define EXCHANGE(a, b, n)                                                                          \
    do {                                                                                           \
        const uint16_t t_ = (right(a, n) ^ (b)) & LOWER(n);                                        \
                                                                                                   \
        (b) ^= t_;                                                                                 \
        (a) ^= (uint16_t)(t_ << (n));                                                              \
    } while (0)

/* The slices, after the S-box, of the four words at `x`: y[k] has bits k. */
ALWAYS_INLINE void slices(uint16_t *y, const uint16_t *x, uint8_t order)
{
    uint16_t x0 = x[0], x1 = x[1], x2 = x[2], x3 = x[3];

    EXCHANGE(x0, x2, order);
    EXCHANGE(x1, x3, order);
    EXCHANGE(x0, x1, 2);
    EXCHANGE(x2, x3, 2);
    SPONGENT_SBOX(uint16_t, y[0], y[1], y[2], y[3], x0, x2, x1, x3);
}

/* Writes bytes `i` and `i` + 1 of the state. */
#define PUT_BYTE(y, i, x) ((y)[PLACE(i)] = (uint8_t)(x))
#define PUT(y, i, x)                                                                               \
    do {                                                                                           \
        PUT_BYTE(y, i, x);                                                                         \
        PUT_BYTE(y, (i) + 1, swapped(x));                                                          \
    } while (0)

#if SPONGENT_BYTES == 20

/* sBoxLayer and pLayer, from `x` to the bytes `y`: slices of 40 bits follow each other. */
ALWAYS_INLINE void layers(uint8_t *y, const uint16_t *x, uint8_t order)
{
    uint16_t s[4];

    slices(s, x, order);
    PUT(y, 0, s[0]);
    PUT(y, 5, s[1]);
    PUT(y, 10, s[2]);
    PUT(y, 15, s[3]);
    slices(s, x + 4, order);
    PUT(y, 2, s[0]);
    PUT(y, 7, s[1]);
    PUT(y, 12, s[2]);
    PUT(y, 17, s[3]);
    slices(s, x + 8, order);
    PUT_BYTE(y, 4, s[0]);
    PUT_BYTE(y, 9, s[1]);
    PUT_BYTE(y, 14, s[2]);
    PUT_BYTE(y, 19, s[3]);
}

#else

/* For two bytes of slices: their nibbles j1 = 0, at the position of j1 = 1, after the nibble
 * `*carry` and the first byte's nibble j1 = 1. The second byte's nibble j1 = 1 goes to `*carry`. */
ALWAYS_INLINE uint16_t join(uint16_t *carry, uint16_t x, uint8_t order)
{
    const uint16_t upper = swapped(right(x, order) & LOWER(order));
    const uint16_t joined = (uint16_t)((x & LOWER(order)) << order) | (upper & 0xff00) | *carry;

    *carry = upper & 0xff;
    return joined;
}

/* sBoxLayer and pLayer, from `x` to the bytes `y`: slices of 44 bits follow each other, so
 * odd-numbered slices begin with the upper nibble of a byte. */
ALWAYS_INLINE void layers(uint8_t *y, const uint16_t *x, uint8_t order)
{
    uint16_t s[4], end[4];
    uint16_t carry1, carry3;

    slices(end, x + 8, order);
    PUT_BYTE(y, 4, end[0]);
    PUT_BYTE(y, 15, end[2]);
    carry1 = swapped(end[0]) & LOWER(order) & 0xff;
    carry3 = swapped(end[2]) & LOWER(order) & 0xff;
    slices(s, x, order);
    PUT(y, 0, s[0]);
    PUT(y, 11, s[2]);
    s[1] = join(&carry1, s[1], order);
    PUT(y, 5, s[1]);
    s[3] = join(&carry3, s[3], order);
    PUT(y, 16, s[3]);
    slices(s, x + 4, order);
    PUT(y, 2, s[0]);
    PUT(y, 13, s[2]);
    s[1] = join(&carry1, s[1], order);
    PUT(y, 7, s[1]);
    s[3] = join(&carry3, s[3], order);
    PUT(y, 18, s[3]);
    end[1] = join(&carry1, end[1], order);
    PUT(y, 9, end[1]);
    end[3] = join(&carry3, end[3], order);
    PUT(y, 20, end[3]);
}

#endif

/* A round without its constants, from the usual order to the other one. */
NEVER_INLINE void layers_turning(uint8_t *y, const uint16_t *x)
{
    layers(y, x, USUAL);
}

/* The same, back to the usual order. */
NEVER_INLINE void layers_returning(uint8_t *y, const uint16_t *x)
{
    layers(y, x, TURNED);
}

void spongent_permute(uint8_t *state)
{
    const uint8_t *constant = constants;
    uint16_t x[WORDS] = {0}, y[WORDS] = {0};
    uint8_t *const x_bytes = (uint8_t *)x, *const y_bytes = (uint8_t *)y;

    for (uint8_t i = 0; i < SPONGENT_BYTES; i++) {
        x_bytes[PLACE(i)] = state[i];
    }
    for (uint8_t i = 0; i < SPONGENT_ROUNDS / 2; i++) {
        x_bytes[PLACE(0)] ^= flash_u8(constant++);
        x_bytes[PLACE(SPONGENT_BYTES - 1)] ^= flash_u8(constant++);
        layers_turning(y_bytes, x);
        y_bytes[PLACE(0)] ^= flash_u8(constant++);
        y_bytes[PLACE(SPONGENT_BYTES - 1)] ^= flash_u8(constant++);
        layers_returning(x_bytes, y);
    }
    for (uint8_t i = 0; i < SPONGENT_BYTES; i++) {
        state[i] = x_bytes[PLACE(i)];
    }
}

#endif
