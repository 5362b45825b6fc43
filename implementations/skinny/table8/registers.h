/*
 * SKINNY-128's cells in the registers of an AVR, for both directions.
 *
 * References: "The SKINNY Family" (2016), section 2 (see skinny128.h); same names; AVR
 * Instruction Set Manual (DS40002198).
 */
#ifndef PENNYWEIGHT_SKINNY128_REGISTERS_H
#define PENNYWEIGHT_SKINNY128_REGISTERS_H

/* clang-format off */

/* An assembler macro that looks up a row. A row is specified by its registers, 2 + 4 `i` and the
 * following, and by which of them, 0 to 3, is cell 0. */
#define SUB_MACRO                                                                                  \
    ".macro sub_ i\n\t"                                                                            \
    "  mov r30, 2+4*\\i\n\t lpm 2+4*\\i, Z\n\t"                                                    \
    "  mov r30, 3+4*\\i\n\t lpm 3+4*\\i, Z\n\t"                                                    \
    "  mov r30, 4+4*\\i\n\t lpm 4+4*\\i, Z\n\t"                                                    \
    "  mov r30, 5+4*\\i\n\t lpm 5+4*\\i, Z\n\t"                                                    \
    ".endm\n\t"

#define EACH_REGISTER(op)                                                                          \
    op(2, 0) op(3, 1) op(4, 2) op(5, 3) op(6, 4) op(7, 5) op(8, 6) op(9, 7) op(10, 8) op(11, 9)    \
    op(12, 10) op(13, 11) op(14, 12) op(15, 13) op(16, 14) op(17, 15)
#define LOAD(r, i) "ldd r" #r ", Z+" #i "\n\t"
#define STORE(r, i) "std Z+" #i ", r" #r "\n\t"

/* clang-format on */

#endif
