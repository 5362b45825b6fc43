/*
 * SKINNY-128 with a table for the S-box, in the registers of an AVR, where a look-up takes the same
 * time for all indices.
 *
 * References: "The SKINNY Family" (2016), section 2 (see skinny128.h); same names; AVR
 * Instruction Set Manual (DS40002198).
 *
 * Four registers hold a row. MixColumns moves each row to the next, so that rows are renumbered
 * instead of moved, and ShiftRows changes where a row begins: after eight rounds all are back in
 * place.
 */
#include "skinny128.h"

#if defined(__AVR__) && !defined(__clang__)

#include <avr/pgmspace.h>

#include "registers.h"
#include "sbox.h"

/* Z's upper half never changes. */
static const uint8_t sbox[256] PROGMEM __attribute__((aligned(256))) = {SKINNY128_SBOX};

/* clang-format off */

/* Assembler macros; see registers.h for how rows are passed. */
#define DEFINE_MACROS                                                                              \
    SUB_MACRO                                                                                      \
    /* Adds the four bytes at \p. */                                                               \
    ".macro add_ p, i, o\n\t"                                                                      \
    "  ld r0, \\p+\n\t eor 2+4*\\i+(\\o), r0\n\t"                                                  \
    "  ld r0, \\p+\n\t eor 2+4*\\i+((\\o+1)&3), r0\n\t"                                            \
    "  ld r0, \\p+\n\t eor 2+4*\\i+((\\o+2)&3), r0\n\t"                                            \
    "  ld r0, \\p+\n\t eor 2+4*\\i+((\\o+3)&3), r0\n\t"                                            \
    ".endm\n\t"                                                                                    \
    /* ShiftRows and MixColumns for column j. */                                                   \
    ".macro mix_ j, a, ao, b, bo, c, co, d, do\n\t"                                                \
    "  eor 2+4*\\b+((\\bo+\\j+3)&3), 2+4*\\c+((\\co+\\j+2)&3)\n\t"                                 \
    "  eor 2+4*\\c+((\\co+\\j+2)&3), 2+4*\\a+((\\ao+\\j)&3)\n\t"                                   \
    "  eor 2+4*\\d+((\\do+\\j+1)&3), 2+4*\\c+((\\co+\\j+2)&3)\n\t"                                 \
    ".endm\n\t"                                                                                    \
    /* A round on rows a, b, c and d; r18 is 2. */                                                 \
    ".macro round_ a, ao, b, bo, c, co, d, do, even\n\t"                                           \
    "  sub_ 0\n\t sub_ 1\n\t sub_ 2\n\t sub_ 3\n\t"                                                \
    "  add_ X, \\a, \\ao\n\t"                                                                      \
    "  add_ X, \\b, \\bo\n\t"                                                                      \
    "  .if \\even\n\t"                                                                             \
    "    add_ Y, \\a, \\ao\n\t"                                                                    \
    "    add_ Y, \\b, \\bo\n\t"                                                                    \
    "  .endif\n\t"                                                                                 \
    "  eor 2+4*\\c+\\co, r18\n\t"                                                                  \
    "  mix_ 0, \\a, \\ao, \\b, \\bo, \\c, \\co, \\d, \\do\n\t"                                     \
    "  mix_ 1, \\a, \\ao, \\b, \\bo, \\c, \\co, \\d, \\do\n\t"                                     \
    "  mix_ 2, \\a, \\ao, \\b, \\bo, \\c, \\co, \\d, \\do\n\t"                                     \
    "  mix_ 3, \\a, \\ao, \\b, \\bo, \\c, \\co, \\d, \\do\n\t"                                     \
    ".endm\n\t"

#define FORGET_MACROS                                                                              \
    ".purgem sub_\n\t.purgem add_\n\t.purgem mix_\n\t.purgem round_\n\t"

void skinny128_encrypt(const skinny128_schedule *s, const uint8_t *lower, uint8_t *block)
{
    skinny128_rows rows[SKINNY128_PERIOD];

    skinny128_expand_tk1(rows, lower);

    register const skinny128_rows *tk1 __asm__("r24") = rows;
    register const uint8_t *table __asm__("r22") = sbox;
    register uint8_t eights __asm__("r20") = SKINNY128_ROUNDS / 8;
    const skinny128_rows *sum = s->sum;

    __asm__ volatile(
        DEFINE_MACROS
        EACH_REGISTER(LOAD)
        "push r28\n\t"
        "push r29\n\t"
        "push r30\n\t"
        "push r31\n\t"
        "movw r28, r24\n\t"
        "mov r31, r23\n\t"
        "ldi r18, 2\n\t"
        "clr r19\n"
        "1:\n\t"
        "round_ 0, 0, 1, 0, 2, 0, 3, 0, 1\n\t"
        "round_ 3, 1, 0, 0, 1, 3, 2, 2, 0\n\t"
        "round_ 2, 3, 3, 1, 0, 3, 1, 1, 1\n\t"
        "round_ 1, 2, 2, 3, 3, 0, 0, 1, 0\n\t"
        "round_ 0, 2, 1, 2, 2, 2, 3, 2, 1\n\t"
        "round_ 3, 3, 0, 2, 1, 1, 2, 0, 0\n\t"
        "round_ 2, 1, 3, 3, 0, 1, 1, 3, 1\n\t"
        "round_ 1, 0, 2, 1, 3, 2, 0, 3, 0\n\t"
        /* Eight rounds use half of TK1's period. */
        "com r19\n\t"
        "brne 2f\n\t"
        "movw r28, r24\n"
        "2:\n\t"
        "dec r20\n\t"
        "breq 3f\n\t"
        "rjmp 1b\n"
        "3:\n\t"
        "pop r31\n\t"
        "pop r30\n\t"
        "pop r29\n\t"
        "pop r28\n\t"
        EACH_REGISTER(STORE)
        FORGET_MACROS
        : "+x"(sum), "+r"(eights)
        : "z"(block), "r"(tk1), "r"(table)
        : "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
          "r16", "r17", "r18", "r19", "memory");
}

/* clang-format on */

#else

#include "../table32/encrypt.c"

#endif
