/*
 * Grain-128AEADv2's registers, 32 clocks at once in the registers of an AVR.
 *
 * References: "Grain-128AEADv2" (2021), section 2.1 (see grain.h); AVR Instruction Set Manual
 * (DS40002198).
 *
 * For 32 clocks, the bits of a tap at position 8 q + r are four whole bytes after a shift right by
 * r bits: bytes q to q + 3. So each of the two shift registers is loaded once into r2 to r17 and
 * shifted by one bit seven times; between the shifts, the aligned taps are added up: in r18 to r21
 * the register's next bits, in r22 to r25 the pre-output. Factors of products are saved in memory
 * until the others are ready. All this takes about 700 cycles; compilers, which do not use ROR,
 * need 2,000 or more.
 */
#include "state.h"

#if defined(__AVR__) && !defined(__clang__)

#define NEXT "18" /* the register that holds a shift register's next bits */
#define OUT "22"  /* the register that holds the pre-output */

/* Offsets of saved factors from the first word of the state: after the new words (32 to 39), and
 * for the last factor, the word that is computed last. */
#define WAIT_A "40"
#define WAIT_B "44"
#define WAIT_C "48"
#define WAIT_D "52"
#define WAIT_E "56"
#define WAIT_B12 "60"
#define WAIT_B95 "36"

/* Loads a shift register: one word of each pair, from byte `at` of the state on. */
#define LOAD_WORD(to, at)                                                                          \
    "ldd " to "+0,Z+" at "+0\n\tldd " to "+1,Z+" at "+1\n\t"                                       \
    "ldd " to "+2,Z+" at "+2\n\tldd " to "+3,Z+" at "+3\n\t"
#define LOAD(at)                                                                                   \
    LOAD_WORD("2", at "+0")                                                                        \
    LOAD_WORD("6", at "+8")                                                                        \
    LOAD_WORD("10", at "+16")                                                                      \
    LOAD_WORD("14", at "+24")

/* Shifts it to the right by one bit. */
#define SHIFT()                                                                                    \
    "lsr 17\n\tror 16\n\tror 15\n\tror 14\n\tror 13\n\tror 12\n\tror 11\n\tror 10\n\t"             \
    "ror 9\n\tror 8\n\tror 7\n\tror 6\n\tror 5\n\tror 4\n\tror 3\n\tror 2\n\t"

/* sum = bytes q to q + 3, q even. */
#define SET(sum, q) "movw " sum ",2+" #q "\n\tmovw " sum "+2,4+" #q "\n\t"

/* sum += bytes q to q + 3. */
#define ADD(sum, q)                                                                                \
    "eor " sum ",2+" #q "\n\teor " sum "+1,3+" #q "\n\t"                                           \
    "eor " sum "+2,4+" #q "\n\teor " sum "+3,5+" #q "\n\t"

/* sum += bytes p to p + 3 times bytes q to q + 3. */
#define ADD_PRODUCT_BYTE(sum, p, q) "mov 0," p "\n\tand 0," q "\n\teor " sum ",0\n\t"
#define ADD_PRODUCT(sum, p, q)                                                                     \
    ADD_PRODUCT_BYTE(sum, "2+" #p, "2+" #q)                                                        \
    ADD_PRODUCT_BYTE(sum "+1", "3+" #p, "3+" #q)                                                   \
    ADD_PRODUCT_BYTE(sum "+2", "4+" #p, "4+" #q)                                                   \
    ADD_PRODUCT_BYTE(sum "+3", "5+" #p, "5+" #q)

/* Saves bytes q to q + 3 as a factor. */
#define WAIT(place, q)                                                                             \
    "std Z+" place ",2+" #q "\n\tstd Z+" place "+1,3+" #q "\n\t"                                   \
    "std Z+" place "+2,4+" #q "\n\tstd Z+" place "+3,5+" #q "\n\t"

/* Multiplies the saved factor by bytes q to q + 3. */
#define MULTIPLY_BYTE(place, q) "ldd 0,Z+" place "\n\tand 0," q "\n\tstd Z+" place ",0\n\t"
#define MULTIPLY(place, q)                                                                         \
    MULTIPLY_BYTE(place, "2+" #q)                                                                  \
    MULTIPLY_BYTE(place "+1", "3+" #q)                                                             \
    MULTIPLY_BYTE(place "+2", "4+" #q)                                                             \
    MULTIPLY_BYTE(place "+3", "5+" #q)

/* sum += the saved factor times bytes q to q + 3. */
#define COLLECT_BYTE(sum, place, q) "ldd 0,Z+" place "\n\tand 0," q "\n\teor " sum ",0\n\t"
#define COLLECT(sum, place, q)                                                                     \
    COLLECT_BYTE(sum, place, "2+" #q)                                                              \
    COLLECT_BYTE(sum "+1", place "+1", "3+" #q)                                                    \
    COLLECT_BYTE(sum "+2", place "+2", "4+" #q)                                                    \
    COLLECT_BYTE(sum "+3", place "+3", "5+" #q)

/* The same with bytes p to p + 3 as a third factor. */
#define COLLECT_3_BYTE(sum, place, p, q)                                                           \
    "ldd 0,Z+" place "\n\tand 0," p "\n\tand 0," q "\n\teor " sum ",0\n\t"
#define COLLECT_3(sum, place, p, q)                                                                \
    COLLECT_3_BYTE(sum, place, "2+" #p, "2+" #q)                                                   \
    COLLECT_3_BYTE(sum "+1", place "+1", "3+" #p, "3+" #q)                                         \
    COLLECT_3_BYTE(sum "+2", place "+2", "4+" #p, "4+" #q)                                         \
    COLLECT_3_BYTE(sum "+3", place "+3", "5+" #p, "5+" #q)

/* The same with two saved factors. */
#define COLLECT_2_BYTE(sum, place, other, q)                                                       \
    "ldd 0,Z+" place "\n\tldd 1,Z+" other "\n\tand 0,1\n\tand 0," q "\n\teor " sum ",0\n\t"
#define COLLECT_2(sum, place, other, q)                                                            \
    COLLECT_2_BYTE(sum, place, other, "2+" #q)                                                     \
    COLLECT_2_BYTE(sum "+1", place "+1", other "+1", "3+" #q)                                      \
    COLLECT_2_BYTE(sum "+2", place "+2", other "+2", "4+" #q)                                      \
    COLLECT_2_BYTE(sum "+3", place "+3", other "+3", "5+" #q)

#define STORE(at, sum)                                                                             \
    "std Z+" at "," sum "\n\tstd Z+" at "+1," sum "+1\n\t"                                         \
    "std Z+" at "+2," sum "+2\n\tstd Z+" at "+3," sum "+3\n\t"

/* Writes the words that follow the four from `w` on, without feedback, and the
 * pre-output to `y`. */
static inline __attribute__((always_inline)) void clock_once(grain_words *w, uint32_t *y)
{
    /* clang-format off */
    __asm__ volatile(
        /* The nonlinear register. */
        LOAD("0")
        SET(OUT, 8)             /* 64 */
        SET(NEXT, 0)            /* 0 */
        ADD(NEXT, 7)            /* 56 */
        ADD(NEXT, 12)           /* 96 */
        ADD_PRODUCT(NEXT, 5, 6) /* 40 48 */
        WAIT(WAIT_A, 3)         /* 24 */
        WAIT(WAIT_B, 11)        /* 88 */
        SHIFT()
        ADD(OUT, 9)             /* 73 */
        ADD(OUT, 11)            /* 89 */
        WAIT(WAIT_C, 2)         /* 17 */
        WAIT(WAIT_D, 8)         /* 65 */
        MULTIPLY(WAIT_A, 3)     /* 24 25 */
        SHIFT()
        ADD(OUT, 0)              /* 2 */
        ADD(NEXT, 3)             /* 26 */
        COLLECT(NEXT, WAIT_C, 2) /* 17 18 */
        WAIT(WAIT_E, 10)         /* 82 */
        SHIFT()
        ADD_PRODUCT(NEXT, 0, 8) /* 3 67 */
        ADD_PRODUCT(NEXT, 3, 7) /* 27 59 */
        ADD(NEXT, 11)           /* 91 */
        WAIT(WAIT_C, 1)         /* 11 */
        SHIFT()
        ADD(OUT, 4)              /* 36 */
        ADD_PRODUCT(NEXT, 8, 10) /* 68 84 */
        WAIT(WAIT_B12, 1)        /* 12 */
        MULTIPLY(WAIT_B, 11)     /* 88 92 */
        SHIFT()
        ADD(OUT, 5)              /* 45 */
        COLLECT(NEXT, WAIT_C, 1) /* 11 13 */
        COLLECT(NEXT, WAIT_D, 7) /* 61 65 */
        MULTIPLY(WAIT_B, 11)     /* 88 92 93 */
        SHIFT()
        COLLECT(NEXT, WAIT_A, 2)      /* 22 24 25 */
        COLLECT_3(NEXT, WAIT_E, 8, 9) /* 70 78 82 */
        SHIFT()
        ADD(OUT, 1)               /* 15 */
        COLLECT(NEXT, WAIT_B, 11) /* 88 92 93 95 */
        WAIT(WAIT_B95, 11)
        /* The linear register. */
        LOAD("4")
        ADD(NEXT, 0) /* s0 */
        STORE("32", NEXT)
        SET(NEXT, 0)              /* 0 */
        ADD(NEXT, 12)             /* 96 */
        COLLECT(OUT, WAIT_B12, 1) /* b12 s8 */
        SHIFT()
        ADD(NEXT, 10) /* 81 */
        SHIFT()
        COLLECT(OUT, WAIT_B95, 5) /* b95 s42 */
        SHIFT()
        SHIFT()
        WAIT(WAIT_A, 2) /* 20 */
        WAIT(WAIT_B, 7) /* 60 */
        SHIFT()
        COLLECT(OUT, WAIT_A, 1) /* 13 20 */
        ADD(OUT, 11)            /* 93 */
        SHIFT()
        ADD(NEXT, 4)                           /* 38 */
        ADD(NEXT, 8)                           /* 70 */
        COLLECT_2(OUT, WAIT_B12, WAIT_B95, 11) /* b12 b95 s94 */
        SHIFT()
        ADD(NEXT, 0)            /* 7 */
        COLLECT(OUT, WAIT_B, 9) /* 60 79 */
        STORE("36", NEXT)
        "st X+,22\n\tst X+,23\n\tst X+,24\n\tst X+,25\n\t"
        "clr 1"
        : "+x"(y)
        : "z"(w)
        : "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
          "r16", "r17", "r18", "r19", "r20", "r21", "r22", "r23", "r24", "r25", "memory");
    /* clang-format on */
}

void grain_clock(grain_words *w, uint32_t *y, uint8_t blocks, uint8_t feedback)
{
    for (; blocks != 0; blocks--, w++, y++) {
        clock_once(w, y);
        if (feedback != 0) {
            w[4].b ^= *y;
            w[4].s ^= *y;
        }
    }
}

#else

#include "../words32/clock.c"

#endif
