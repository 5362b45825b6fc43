/*
 * The inverse of SKINNY-128 with a table for the inverse of the S-box, in the registers of an AVR,
 * where a look-up takes the same time for all indices.
 *
 * References: "The SKINNY Family" (2016), section 2 (see skinny128.h); same names; AVR
 * Instruction Set Manual (DS40002198).
 *
 * Row numbers and the start of each row change as in encrypt.c, in the other direction.
 */
#include "skinny128.h"

#if defined(__AVR__) && !defined(__clang__)

#include <avr/pgmspace.h>

#include "inverse_sbox.h"
#include "registers.h"

/* Z's upper half never changes. */
static const uint8_t inverse[256] PROGMEM __attribute__((aligned(256))) = {SKINNY128_INVERSE_SBOX};

/* clang-format off */

/* Assembler macros; see registers.h for how rows are passed. */
#define DEFINE_MACROS                                                                              \
    SUB_MACRO                                                                                      \
    /* Subtracts the four bytes before \p. */                                                     \
    ".macro take_ p, i, o\n\t"                                                                     \
    "  ld r0, -\\p\n\t eor 2+4*\\i+((\\o+3)&3), r0\n\t"                                            \
    "  ld r0, -\\p\n\t eor 2+4*\\i+((\\o+2)&3), r0\n\t"                                            \
    "  ld r0, -\\p\n\t eor 2+4*\\i+((\\o+1)&3), r0\n\t"                                            \
    "  ld r0, -\\p\n\t eor 2+4*\\i+(\\o), r0\n\t"                                                  \
    ".endm\n\t"                                                                                    \
    /* The inverse of MixColumns and ShiftRows for column j. */                                    \
    ".macro unmix_ j, a, ao, b, bo, c, co, d, do\n\t"                                              \
    "  eor 2+4*\\d+((\\do+\\j+1)&3), 2+4*\\c+((\\co+\\j+2)&3)\n\t"                                 \
    "  eor 2+4*\\c+((\\co+\\j+2)&3), 2+4*\\a+((\\ao+\\j)&3)\n\t"                                   \
    "  eor 2+4*\\b+((\\bo+\\j+3)&3), 2+4*\\c+((\\co+\\j+2)&3)\n\t"                                 \
    ".endm\n\t"                                                                                    \
    /* An inverse round, to rows a, b, c and d; r18 is 2. */                                      \
    ".macro unround_ a, ao, b, bo, c, co, d, do, even\n\t"                                         \
    "  unmix_ 0, \\a, \\ao, \\b, \\bo, \\c, \\co, \\d, \\do\n\t"                                   \
    "  unmix_ 1, \\a, \\ao, \\b, \\bo, \\c, \\co, \\d, \\do\n\t"                                   \
    "  unmix_ 2, \\a, \\ao, \\b, \\bo, \\c, \\co, \\d, \\do\n\t"                                   \
    "  unmix_ 3, \\a, \\ao, \\b, \\bo, \\c, \\co, \\d, \\do\n\t"                                   \
    "  eor 2+4*\\c+\\co, r18\n\t"                                                                  \
    "  .if \\even\n\t"                                                                             \
    "    take_ Y, \\b, \\bo\n\t"                                                                   \
    "    take_ Y, \\a, \\ao\n\t"                                                                   \
    "  .endif\n\t"                                                                                 \
    "  take_ X, \\b, \\bo\n\t"                                                                     \
    "  take_ X, \\a, \\ao\n\t"                                                                     \
    "  sub_ 0\n\t sub_ 1\n\t sub_ 2\n\t sub_ 3\n\t"                                                \
    ".endm\n\t"

#define FORGET_MACROS                                                                              \
    ".purgem sub_\n\t.purgem take_\n\t.purgem unmix_\n\t.purgem unround_\n\t"

void skinny128_decrypt(const skinny128_schedule *s, const uint8_t *lower, uint8_t *block)
{
    skinny128_rows rows[SKINNY128_PERIOD];

    skinny128_expand_tk1(rows, lower);

    /* Eight rounds use half of TK1's period, an odd number of eights ends in its middle. */
    register const skinny128_rows *end __asm__("r24") = rows + SKINNY128_PERIOD;
    register const uint8_t *table __asm__("r22") = inverse;
    register uint8_t eights __asm__("r20") = SKINNY128_ROUNDS / 8;
    register const skinny128_rows *tk1 __asm__("r18") =
        rows + SKINNY128_ROUNDS / 2 % SKINNY128_PERIOD;
    const skinny128_rows *sum = s->sum + SKINNY128_ROUNDS;

    __asm__ volatile(
        DEFINE_MACROS
        EACH_REGISTER(LOAD)
        "push r28\n\t"
        "push r29\n\t"
        "push r30\n\t"
        "push r31\n\t"
        "movw r28, r18\n\t"
        "mov r31, r23\n\t"
        "ldi r18, 2\n"
        "1:\n\t"
        "sbrs r20, 0\n\t"
        "movw r28, r24\n\t"
        "unround_ 1, 0, 2, 1, 3, 2, 0, 3, 0\n\t"
        "unround_ 2, 1, 3, 3, 0, 1, 1, 3, 1\n\t"
        "unround_ 3, 3, 0, 2, 1, 1, 2, 0, 0\n\t"
        "unround_ 0, 2, 1, 2, 2, 2, 3, 2, 1\n\t"
        "unround_ 1, 2, 2, 3, 3, 0, 0, 1, 0\n\t"
        "unround_ 2, 3, 3, 1, 0, 3, 1, 1, 1\n\t"
        "unround_ 3, 1, 0, 0, 1, 3, 2, 2, 0\n\t"
        "unround_ 0, 0, 1, 0, 2, 0, 3, 0, 1\n\t"
        "dec r20\n\t"
        "breq 2f\n\t"
        "rjmp 1b\n"
        "2:\n\t"
        "pop r31\n\t"
        "pop r30\n\t"
        "pop r29\n\t"
        "pop r28\n\t"
        EACH_REGISTER(STORE)
        FORGET_MACROS
        : "+x"(sum), "+r"(eights), "+r"(tk1)
        : "z"(block), "r"(end), "r"(table)
        : "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
          "r16", "r17", "memory");
}

/* clang-format on */

#else

#include "../table32/decrypt.c"

#endif
