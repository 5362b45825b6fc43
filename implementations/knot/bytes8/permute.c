/*
 * KNOT's permutations for 8-bit and 16-bit machines: on AVR with rows in registers, elsewhere by
 * words of 16 bits.
 *
 * References: "KNOT" (2019), section 2 (see knot.h).
 *
 * Words go from one copy of the state to another, so that rows move by whole bytes when stored. The
 * number of rounds is even, so that the last round writes the first copy.
 */
#include "knot.h"

#if defined(__AVR__) && !defined(__clang__)

#include "avr.h"

_Static_assert(KNOT_BYTES != 48 || KNOT_LFSR_BITS != 8, "the macros have no such member");

void knot_permute(knot_state *state, uint8_t rounds)
{
    uint8_t *bytes = state->bytes;
    uint16_t pairs = rounds / 2;

    /* clang-format off */
    __asm__ volatile(
        DEFINE_MACROS
        "push r28\n\t"
        "push r29\n\t"
        "mov r0, r26\n\t"
        "ldi r28, 0xff\n\t"
        "mov r1, r28\n\t"
        "ldi r28, 1\n\t"
        "rows_ ldd\n\t"
        ".if kept_ == 0\n\t"
        "ldd r26, Z + w_\n\t"
        "bst r26, 0\n\t"
        ".endif\n"
        "1:\n\t"
        "two_rounds_\n\t"
        "dec r0\n\t"
        "breq 2f\n\t"
        "rjmp 1b\n"
        "2:\n\t"
        "rows_ std\n\t"
        ".if kept_ == 0\n\t"
        "ldd r26, Z + w_\n\t"
        "bld r26, 0\n\t"
        "std Z + w_, r26\n\t"
        ".endif\n\t"
        "clr __zero_reg__\n\t"
        "pop r29\n\t"
        "pop r28\n\t"
        FORGET_MACROS
        : "+x"(pairs), "+z"(bytes)
        : [width] "i"(KNOT_BYTES / 4), [lfsr_bits] "i"(KNOT_LFSR_BITS)
        : "r0", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12", "r13", "r14",
          "r15", "r16", "r17", "r18", "r19", "r20", "r21", "r22", "r23", "r24", "r25", "memory");
    /* clang-format on */
}

#else

#include "in_order.h"
#include "inline.h"
#include "keep.h"
#include "sbox.h"
#include "unroll.h"

#define KNOT_LANE_BITS 16
#include "lane.h"

/* Of a row. */
enum { LANES = 2 * KNOT_WORDS, BYTES = 4 * KNOT_WORDS };

/* The position in memory of byte `i` of a state in 16-bit words. */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define PLACE(i) ((i) ^ 1)
#else
#define PLACE(i) (i)
#endif

/* The upper byte of `x`. */
ALWAYS_INLINE uint16_t upper_byte(uint16_t x)
{
#if defined(__MSP430__) && defined(__GNUC__) && !defined(__clang__)
    __asm__("swpb %0" : "+r"(x));
    return x;
#else
    return x >> 8;
#endif
}

/* Writes `x` to row `row` from byte `at`, modulo the row's length, on. */
ALWAYS_INLINE void put(knot_state *to, uint8_t row, unsigned at, uint16_t x)
{
    to->bytes[PLACE(BYTES * row + at % BYTES)] = (uint8_t)x;
    to->bytes[PLACE(BYTES * row + (at + 1) % BYTES)] = (uint8_t)upper_byte(x);
}

/* A round, from one copy of the state to another. ShiftRow moves row 2 by 1 or 2 bytes, row 3 by 3
 * bytes and a bit, or 7 bytes less a bit. */
ALWAYS_INLINE void one_round(knot_state *to, const knot_state *from, uint16_t constant)
{
    uint16_t carry1 = 0;
#if KNOT_WORDS == 3
    uint16_t first3 = 0, last3 = 0;
#else
    uint16_t carry3 = 0;
#endif

    UNROLL
    for (uint8_t i = 0; i < LANES; i++) {
        const uint16_t a0 = from->halves[0][i] ^ (i == 0 ? constant : 0);
        const uint16_t a1 = from->halves[1][i];
        const uint16_t a2 = from->halves[2][i];
        const uint16_t a3 = from->halves[3][i];
        uint16_t b0, b1, b2, b3;

        KNOT_SBOX(uint16_t, b0, b1, b2, b3, a0, a1, a2, a3);
        to->halves[0][i] = b0;
        to->halves[1][i] = knot_move_up(b1, &carry1);
#if KNOT_WORDS == 4
        to->halves[2][(i + 1) % LANES] = b2;
#else
        put(to, 2, 2u * i + 1, b2);
#endif
#if KNOT_WORDS == 3
        if (i == 0) {
            first3 = b3;
        } else {
            put(to, 3, 2u * i + 5, knot_move_down(last3, b3));
        }
        last3 = b3;
#else
        put(to, 3, 2u * i + 3, knot_move_up(b3, &carry3));
#endif
        IN_ORDER();
    }
    to->halves[1][0] |= carry1;
#if KNOT_WORDS == 3
    put(to, 3, 5, knot_move_down(last3, first3));
#else
    to->bytes[PLACE(3 * BYTES + 3)] |= (uint8_t)carry3;
#endif
}

/* The rounds, from one copy to the other in turn. */
NEVER_INLINE void all_rounds(knot_state *from, knot_state *to, uint8_t rounds)
{
    uint16_t constant = 1;

    do {
        knot_state *const other = from;

        one_round(to, from, constant);
        constant = knot_next_lane(constant);
        from = to;
        to = other;
        KEEP_POINTER(from);
        KEEP_POINTER(to);
        IN_ORDER();
    } while (--rounds != 0);
}

/* Swaps the bytes of words where the state's byte order differs. */
ALWAYS_INLINE void order(knot_state *state)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    for (uint8_t i = 0; i < 4 * LANES; i++) {
        const uint16_t x = state->halves[i / LANES][i % LANES];

        state->halves[i / LANES][i % LANES] = (uint16_t)((unsigned)x << 8 | x >> 8);
    }
#else
    (void)state;
#endif
}

void knot_permute(knot_state *state, uint8_t rounds)
{
    knot_state other;

    order(state);
    all_rounds(state, &other, rounds);
    order(state);
}

#endif
