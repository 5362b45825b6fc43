/*
 * Gimli for 8-bit and 16-bit machines: on AVR and MSP430 in registers, elsewhere as in
 * words32.
 *
 * References: "Gimli" (2019), sections 2.5 to 2.9 (see gimli.h); AVR Instruction Set Manual
 * (DS40002198); MSP430x1xx Family User's Guide (SLAU049), section 3.4.
 *
 * Two rounds are computed on a column in registers. Moving a part of a word only renames registers
 * if it fills whole registers.
 *
 * Swaps move no data: they change the positions at which the next rounds find the words of row 0. A
 * small swap moves the word at position j to j ^ 1, a big one to j ^ 2. There are six of each, so
 * all words end in their original positions.
 */
#include "inline.h"

#if defined(__clang__) || !(defined(__AVR__) || (defined(__MSP430__) && defined(__GNUC__)))

#define GIMLI_CALL ALWAYS_INLINE
#include "permutation.h"

#else

#include "gimli.h"

#if defined(__AVR__) && !defined(__clang__)

/* clang-format off */

#define DEFINE_MACROS                                                                              \
    /* The register of byte \i of a word, of which byte 0 is in register \w + \o. */               \
    ".macro name_ symbol, w, o, i\n\t"                                                             \
    "  .set \\symbol, \\w + ((\\i + \\o) & 3)\n\t"                                                 \
    ".endm\n\t"                                                                                    \
    /* x = x op y, byte by byte. */                                                                \
    ".macro each_ op, x, xo, y, yo\n\t"                                                            \
    "  .set i_, 0\n\t"                                                                             \
    "  .rept 4\n\t"                                                                                \
    "    name_ x_, \\x, \\xo, i_\n\t"                                                              \
    "    name_ y_, \\y, \\yo, i_\n\t"                                                              \
    "    \\op x_, y_\n\t"                                                                          \
    "    .set i_, i_ + 1\n\t"                                                                      \
    "  .endr\n\t"                                                                                  \
    ".endm\n\t"                                                                                    \
    /* Shifts x left by one bit; the bit shifted out stays in the carry flag. */          \
    ".macro shift_ x, xo\n\t"                                                                      \
    "  .set i_, 0\n\t"                                                                             \
    "  .rept 4\n\t"                                                                                \
    "    name_ x_, \\x, \\xo, i_\n\t"                                                              \
    "    .if i_ == 0\n\t"                                                                          \
    "      lsl x_\n\t"                                                                             \
    "    .else\n\t"                                                                                \
    "      rol x_\n\t"                                                                             \
    "    .endif\n\t"                                                                               \
    "    .set i_, i_ + 1\n\t"                                                                      \
    "  .endr\n\t"                                                                                  \
    ".endm\n\t"                                                                                    \
    ".macro copy_ x, y\n\t"                                                                        \
    "  movw \\x, \\y\n\t"                                                                          \
    "  movw \\x + 2, \\y + 2\n\t"                                                                  \
    ".endm\n\t"                                                                                    \
    /* The SP-box of a (its byte 0 in register \a + \o), b and c. The new a is in \u, its byte 0   \
     * in \u + \o + 1, the new b in \c, the new c in \t. */                                        \
    ".macro sp_box_ a, o, b, c, t, u\n\t"                                                          \
    "  shift_ \\b, 3\n\t" /* x and y are a and b, rotated by bytes */                           \
    "  adc \\b + 3, r1\n\t"                                                                        \
    "  copy_ \\t, \\c\n\t"                                                                         \
    "  each_ and, \\t, 0, \\b, 3\n\t"                                                              \
    "  shift_ \\t, 0\n\t"                                                                          \
    "  each_ eor, \\t, 0, \\c, 0\n\t"                                                              \
    "  shift_ \\t, 0\n\t"                                                                          \
    "  each_ eor, \\t, 0, \\a, \\o+1\n\t" /* x ^ z << 1 ^ (y & z) << 2 */                          \
    "  copy_ \\u, \\a\n\t"                                                                         \
    "  each_ and, \\u, \\o+1, \\b, 3\n\t"                                                          \
    "  shift_ \\u, \\o+1\n\t"                                                                      \
    "  shift_ \\u, \\o+1\n\t"                                                                      \
    "  shift_ \\u, \\o+1\n\t"                                                                      \
    "  each_ eor, \\u, \\o+1, \\c, 0\n\t"                                                          \
    "  each_ eor, \\u, \\o+1, \\b, 3\n\t" /* z ^ y ^ (x & y) << 3 */                               \
    "  each_ or, \\c, 0, \\a, \\o+1\n\t"                                                           \
    "  shift_ \\c, 0\n\t"                                                                          \
    "  each_ eor, \\c, 0, \\b, 3\n\t"                                                              \
    "  each_ eor, \\c, 0, \\a, \\o+1\n\t" /* y ^ x ^ (x | z) << 1 */                               \
    ".endm\n\t"                                                                                    \
    ".macro load_ a, o, b, c\n\t"                                                                  \
    "  .set i_, 0\n\t"                                                                             \
    "  .rept 4\n\t"                                                                                \
    "    name_ x_, \\a, \\o, i_\n\t"                                                               \
    "    ld x_, X+\n\t"                                                                            \
    "    ldd \\b + i_, Z + 16 + i_\n\t"                                                            \
    "    ldd \\c + i_, Z + 32 + i_\n\t"                                                            \
    "    .set i_, i_ + 1\n\t"                                                                      \
    "  .endr\n\t"                                                                                  \
    ".endm\n\t"                                                                                    \
    ".macro store_ a, o, b, c\n\t"                                                                 \
    "  .set i_, 3\n\t"                                                                             \
    "  .rept 4\n\t"                                                                                \
    "    name_ x_, \\a, \\o, i_\n\t"                                                               \
    "    st -X, x_\n\t"                                                                            \
    "    std Z + 16 + i_, \\b + i_\n\t"                                                            \
    "    std Z + 32 + i_, \\c + i_\n\t"                                                            \
    "    .set i_, i_ - 1\n\t"                                                                      \
    "  .endr\n\t"                                                                                  \
    ".endm\n\t"

#define FORGET_MACROS                                                                              \
    ".purgem name_\n\t.purgem each_\n\t.purgem shift_\n\t.purgem copy_\n\t.purgem sp_box_\n\t"     \
    ".purgem load_\n\t.purgem store_\n\t"

/* The SP-box on all columns, once or, if `twice`, two times. Column j has its word of row 0 in
 * place j ^ `places`. Registers: a column and its new value, r2 to r21; the column's byte offset,
 * r22; the offset of row 0's word in the first column, r23; the state, r24 and r25. */
ALWAYS_INLINE void columns(uint32_t *s, uint8_t places, uint8_t twice)
{
    uint16_t steering = (uint16_t)(4u * places + 256u * twice);

    __asm__ volatile(
        DEFINE_MACROS
        "mov r23, r26\n\t"
        "mov r0, r27\n\t"
        "movw r24, r30\n\t"
        "clr r22\n"
        "1:\n\t"
        "mov r26, r22\n\t"
        "eor r26, r23\n\t"
        "mov r27, r25\n\t"
        "add r26, r24\n\t"
        "adc r27, r1\n\t"
        "tst r0\n\t"
        "brne 5f\n\t"
        "rjmp 2f\n"
        "5:\n\t"
        "load_ 2, 0, 6, 10\n\t"
        "sp_box_ 2, 0, 6, 10, 14, 18\n\t"
        "rjmp 3f\n"
        "2:\n\t"
        "load_ 18, 1, 10, 14\n"
        "3:\n\t"
        "sp_box_ 18, 1, 10, 14, 2, 6\n\t"
        "store_ 6, 2, 14, 2\n\t"
        "adiw r30, 4\n\t"
        "subi r22, -4\n\t"
        "cpi r22, 16\n\t"
        "breq 4f\n\t"
        "rjmp 1b\n"
        "4:\n\t"
        FORGET_MACROS
        : "+x"(steering), "+z"(s)
        :
        : "r0", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12", "r13", "r14",
          "r15", "r16", "r17", "r18", "r19", "r20", "r21", "r22", "r23", "r24", "r25", "memory");
}

/* clang-format on */

#else

/* clang-format off */

/* The SP-box of a, b and c, each of two registers, the lower half first. x overwrites a, whose
 * halves are swapped, and y overwrites b. The new a is in u, the new b in c, the new c in t. */
#define SP_BOX(a0, a1, b0, b1, c0, c1, t0, t1, u0, u1)                                             \
    "swpb " a0 "\n\tswpb " a1 "\n\tmov.b " a0 ", " t0 "\n\txor.b " a1 ", " t0 "\n\t"               \
    "xor " t0 ", " a0 "\n\txor " t0 ", " a1 "\n\t"                                                 \
    "swpb " b0 "\n\tswpb " b1 "\n\tmov.b " b0 ", " t0 "\n\txor.b " b1 ", " t0 "\n\t"               \
    "xor " t0 ", " b0 "\n\txor " t0 ", " b1 "\n\t"                                                 \
    "rla " b0 "\n\trlc " b1 "\n\tadc " b0 "\n\t"                                                   \
    /* x ^ z << 1 ^ (y & z) << 2 */                                                                \
    "mov " c0 ", " t0 "\n\tmov " c1 ", " t1 "\n\tand " b0 ", " t0 "\n\tand " b1 ", " t1 "\n\t"     \
    "rla " t0 "\n\trlc " t1 "\n\txor " c0 ", " t0 "\n\txor " c1 ", " t1 "\n\t"                     \
    "rla " t0 "\n\trlc " t1 "\n\txor " a1 ", " t0 "\n\txor " a0 ", " t1 "\n\t"                     \
    /* z ^ y ^ (x & y) << 3 */                                                                     \
    "mov " a1 ", " u0 "\n\tmov " a0 ", " u1 "\n\tand " b0 ", " u0 "\n\tand " b1 ", " u1 "\n\t"     \
    "rla " u0 "\n\trlc " u1 "\n\trla " u0 "\n\trlc " u1 "\n\trla " u0 "\n\trlc " u1 "\n\t"         \
    "xor " c0 ", " u0 "\n\txor " c1 ", " u1 "\n\txor " b0 ", " u0 "\n\txor " b1 ", " u1 "\n\t"     \
    /* y ^ x ^ (x | z) << 1 */                                                                     \
    "bis " a1 ", " c0 "\n\tbis " a0 ", " c1 "\n\trla " c0 "\n\trlc " c1 "\n\t"                     \
    "xor " b0 ", " c0 "\n\txor " b1 ", " c1 "\n\txor " a1 ", " c0 "\n\txor " a0 ", " c1 "\n\t"

/* Fetches a column; %0 has the address of its word of row 0, %1 is that of the word of row 1. */
#define LOAD(a0, a1, b0, b1, c0, c1)                                                               \
    "mov %0, " b0 "\n\tmov @" b0 "+, " a0 "\n\tmov @" b0 ", " a1 "\n\t"                            \
    "mov @%1, " b0 "\n\tmov 2(%1), " b1 "\n\tmov 16(%1), " c0 "\n\tmov 18(%1), " c1 "\n\t"

/* Stores a column; the address of its first word may be in another register. */
#define STORE(a0, a1, b0, b1, c0, c1, at)                                                          \
    "mov %0, " at "\n\tmov " a0 ", @" at "\n\tmov " a1 ", 2(" at ")\n\t"                           \
    "mov " b0 ", @%1\n\tmov " b1 ", 2(%1)\n\tmov " c0 ", 16(%1)\n\tmov " c1 ", 18(%1)\n\t"

/* The SP-box on all columns, once or, if `twice`, two times. Column j has its word of row 0 in
 * place j ^ `places`. R2 is the status register. */
ALWAYS_INLINE void columns(uint32_t *s, uint8_t places, uint8_t twice)
{
    uint8_t *const state = (uint8_t *)s;

    for (uint8_t at = 0; at < 16; at += 4) {
        const uint8_t *const row0 = state + (at ^ 4 * places);

        __asm__ volatile(
            "cmp.b #0, %2\n\t"
            "jz 1f\n\t"
            LOAD("R5", "R6", "R7", "R8", "R9", "R10")
            SP_BOX("R5", "R6", "R7", "R8", "R9", "R10", "R11", "R13", "R14", "R15")
            "jmp 2f\n"
            "1:\n\t"
            LOAD("R14", "R15", "R9", "R10", "R11", "R13")
            "2:\n\t"
            SP_BOX("R14", "R15", "R9", "R10", "R11", "R13", "R5", "R6", "R7", "R8")
            STORE("R7", "R8", "R11", "R13", "R5", "R6", "R9")
            :
            : "m"(row0), "r"(state + 16 + at), "m"(twice)
            : "R2", "R5", "R6", "R7", "R8", "R9", "R10", "R11", "R13", "R14", "R15", "memory");
    }
}

/* clang-format on */

#endif

/* Columns mix after rounds 24, 20, ..., 4 (small swap) and 22, 18, ..., 2 (big swap). */
void gimli_permute(gimli_state *state)
{
    uint32_t *const s = state->words;
    uint8_t round = 24, places = 0, twice = 0;

    for (;;) {
        columns(s, places, twice);
        if (round == 0) {
            break;
        }
        if (round % 4 == 0) {
            places ^= 1;
            s[places] ^= UINT32_C(0x9e377900) | round;
        } else {
            places ^= 2;
        }
        round = (uint8_t)(round - 2);
        twice = round;
    }
}

#endif
