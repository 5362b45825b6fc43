/*
 * PHOTON-256 in the registers of an AVR: macros of the assembler.
 *
 * References: "PHOTON-Beetle" (2021), chapter 2 (see photon256.h), names as there; AVR
 * Instruction Set Manual (DS40002198).
 *
 * `i` is a row: rows 0 to 5 are in r2 to r25, rows 6 and 7 in memory at Z + 24 and Z + 28. `a0` to
 * `a3` are registers that hold the four slices of a row, `a` to `c` registers that hold a slice.
 */
#ifndef PENNYWEIGHT_PHOTON_MACROS_H
#define PENNYWEIGHT_PHOTON_MACROS_H

/* clang-format off */

/* Adds slice `p` of row `i` to `a`, and to `b` and `c` if they are given. */
#define SLICE                                                                                      \
    ".macro slice_ i, p, a, b=r0, c=r0\n\t"                                                        \
    ".if \\i < 6\n\t"                                                                              \
    "  eor \\a, 2+4*\\i+\\p\n\t"                                                                   \
    "  .ifnc \\b, r0\n\t eor \\b, 2+4*\\i+\\p\n\t .endif\n\t"                                      \
    "  .ifnc \\c, r0\n\t eor \\c, 2+4*\\i+\\p\n\t .endif\n\t"                                      \
    ".else\n\t"                                                                                    \
    "  ldd r0, Z+4*\\i+\\p\n\t"                                                                    \
    "  eor \\a, r0\n\t"                                                                            \
    "  .ifnc \\b, r0\n\t eor \\b, r0\n\t .endif\n\t"                                               \
    "  .ifnc \\c, r0\n\t eor \\c, r0\n\t .endif\n\t"                                               \
    ".endif\n\t"                                                                                   \
    ".endm\n\t"

/* Adds row `i`, or its product with an element of the field. */
#define ADD                                                                                        \
    ".macro add_ a0, a1, a2, a3, i\n\t"                                                            \
    "  slice_ \\i, 0, \\a0\n\t"                                                                    \
    "  slice_ \\i, 1, \\a1\n\t"                                                                    \
    "  slice_ \\i, 2, \\a2\n\t"                                                                    \
    "  slice_ \\i, 3, \\a3\n\t"                                                                    \
    ".endm\n\t"                                                                                    \
    ".macro add_5_times_ a0, a1, a2, a3, i\n\t"                                                    \
    "  slice_ \\i, 0, \\a0, \\a2\n\t"                                                              \
    "  slice_ \\i, 1, \\a1, \\a3\n\t"                                                              \
    "  slice_ \\i, 2, \\a0, \\a1, \\a2\n\t"                                                        \
    "  slice_ \\i, 3, \\a1, \\a2, \\a3\n\t"                                                        \
    ".endm\n\t"                                                                                    \
    ".macro add_6_times_ a0, a1, a2, a3, i\n\t"                                                    \
    "  slice_ \\i, 0, \\a1, \\a2\n\t"                                                              \
    "  slice_ \\i, 1, \\a2, \\a3\n\t"                                                              \
    "  slice_ \\i, 2, \\a0, \\a1, \\a3\n\t"                                                        \
    "  slice_ \\i, 3, \\a0, \\a2\n\t"                                                              \
    ".endm\n\t"                                                                                    \
    ".macro add_11_times_ a0, a1, a2, a3, i\n\t"                                                   \
    "  slice_ \\i, 0, \\a0, \\a1, \\a3\n\t"                                                        \
    "  slice_ \\i, 1, \\a0, \\a2\n\t"                                                              \
    "  slice_ \\i, 2, \\a1, \\a3\n\t"                                                              \
    "  slice_ \\i, 3, \\a0, \\a1, \\a2\n\t"                                                        \
    ".endm\n\t"

/* A step of MixColumnsSerial on eight rows, whose result takes the place of row `i0`. Doubling is
 * an addition and a change of names: (a0, a1, a2, a3) becomes (a3, a0 + a3, a1, a2). */
#define STEP                                                                                       \
    ".macro step_ i0, i1, i2, i3, i4, i5, i6, i7\n\t"                                              \
    ".if \\i5 < 6\n\t"                                                                             \
    "  movw r26, 2+4*\\i5\n\t"                                                                     \
    "  movw r28, 4+4*\\i5\n\t"                                                                     \
    ".else\n\t"                                                                                    \
    "  ldd r26, Z+4*\\i5\n\t"                                                                      \
    "  ldd r27, Z+4*\\i5+1\n\t"                                                                    \
    "  ldd r28, Z+4*\\i5+2\n\t"                                                                    \
    "  ldd r29, Z+4*\\i5+3\n\t"                                                                    \
    ".endif\n\t"                                                                                   \
    "eor r26, r29\n\t"                                                                             \
    "add_ r29, r26, r27, r28, \\i1\n\t"                                                            \
    "eor r29, r28\n\t"                                                                             \
    "add_ r28, r29, r26, r27, \\i0\n\t"                                                            \
    "add_ r28, r29, r26, r27, \\i2\n\t"                                                            \
    "add_ r28, r29, r26, r27, \\i4\n\t"                                                            \
    "eor r28, r27\n\t"                                                                             \
    "add_11_times_ r27, r28, r29, r26, \\i3\n\t"                                                   \
    "add_5_times_ r27, r28, r29, r26, \\i6\n\t"                                                    \
    "add_6_times_ r27, r28, r29, r26, \\i7\n\t"                                                    \
    ".if \\i0 < 6\n\t"                                                                             \
    "  mov 2+4*\\i0, r27\n\t"                                                                      \
    "  mov 3+4*\\i0, r28\n\t"                                                                      \
    "  mov 4+4*\\i0, r29\n\t"                                                                      \
    "  mov 5+4*\\i0, r26\n\t"                                                                      \
    ".else\n\t"                                                                                    \
    "  std Z+4*\\i0, r27\n\t"                                                                      \
    "  std Z+4*\\i0+1, r28\n\t"                                                                    \
    "  std Z+4*\\i0+2, r29\n\t"                                                                    \
    "  std Z+4*\\i0+3, r26\n\t"                                                                    \
    ".endif\n\t"                                                                                   \
    ".endm\n\t"

/* AddConstant on the slice in `a`, bit `p` of RC + `ic`; r26 is 1. */
#define CONSTANT                                                                                   \
    ".macro constant_ a, p, ic\n\t"                                                                \
    ".if (\\ic >> \\p) & 1\n\t"                                                                    \
    "  sbrs r1, \\p\n\t"                                                                           \
    ".else\n\t"                                                                                    \
    "  sbrc r1, \\p\n\t"                                                                           \
    ".endif\n\t"                                                                                   \
    "eor \\a, r26\n\t"                                                                             \
    ".endm\n\t"

/* The cells of `a` move to the left by `n`: its bits to the right. */
#define SHIFT                                                                                      \
    ".macro right_ a\n\t"                                                                          \
    "  bst \\a, 0\n\t"                                                                             \
    "  lsr \\a\n\t"                                                                                \
    "  bld \\a, 7\n\t"                                                                             \
    ".endm\n\t"                                                                                    \
    ".macro left_ a\n\t"                                                                           \
    "  bst \\a, 7\n\t"                                                                             \
    "  lsl \\a\n\t"                                                                                \
    "  bld \\a, 0\n\t"                                                                             \
    ".endm\n\t"                                                                                    \
    ".macro shift_ a, n\n\t"                                                                       \
    "  .if \\n >= 3 && \\n <= 5\n\t swap \\a\n\t .endif\n\t"                                       \
    "  .if \\n == 1 || \\n == 2 || \\n == 5\n\t right_ \\a\n\t .endif\n\t"                         \
    "  .if \\n == 2\n\t right_ \\a\n\t .endif\n\t"                                                 \
    "  .if \\n == 3 || \\n >= 6\n\t left_ \\a\n\t .endif\n\t"                                      \
    "  .if \\n == 6\n\t left_ \\a\n\t .endif\n\t"                                                  \
    ".endm\n\t"

/* AddConstant, SubCells and ShiftRows on the row in registers `x0` to `x3`, shifted by `n`; the
 * S-box is the one of sbox.h, with t1, t2 and y0 in r26 to r28. */
#define ROW                                                                                        \
    ".macro row_ x0, x1, x2, x3, n, ic\n\t"                                                        \
    "  ldi r26, 1\n\t"                                                                             \
    "  constant_ \\x0, 0, \\ic\n\t"                                                                \
    "  constant_ \\x1, 1, \\ic\n\t"                                                                \
    "  constant_ \\x2, 2, \\ic\n\t"                                                                \
    "  constant_ \\x3, 3, \\ic\n\t"                                                                \
    "  mov r26, \\x1\n\t"                                                                          \
    "  eor r26, \\x2\n\t"                                                                          \
    "  mov r27, \\x2\n\t"                                                                          \
    "  and r27, r26\n\t"                                                                           \
    "  eor \\x3, r27\n\t"                                                                          \
    "  mov r28, \\x0\n\t"                                                                          \
    "  eor r28, \\x3\n\t"                                                                          \
    "  mov r27, r26\n\t"                                                                           \
    "  and r27, \\x3\n\t"                                                                          \
    "  eor r27, \\x2\n\t"                                                                          \
    "  eor r26, r28\n\t"                                                                           \
    "  mov \\x1, \\x0\n\t"                                                                         \
    "  or \\x1, r27\n\t"                                                                           \
    "  eor \\x1, r26\n\t"                                                                          \
    "  com \\x0\n\t"                                                                               \
    "  eor r27, \\x0\n\t"                                                                          \
    "  mov \\x0, r28\n\t"                                                                          \
    "  or r26, r27\n\t"                                                                            \
    "  mov \\x2, \\x3\n\t"                                                                         \
    "  eor \\x2, r26\n\t"                                                                          \
    "  mov \\x3, \\x1\n\t"                                                                         \
    "  eor \\x3, r27\n\t"                                                                          \
    "  shift_ \\x0, \\n\n\t"                                                                       \
    "  shift_ \\x1, \\n\n\t"                                                                       \
    "  shift_ \\x2, \\n\n\t"                                                                       \
    "  shift_ \\x3, \\n\n\t"                                                                       \
    ".endm\n\t"

/* Loads or stores the row in registers `a` to `a` + 3. */
#define MOVE                                                                                       \
    ".macro load_ a, i\n\t"                                                                        \
    "  ldd \\a, Z+4*\\i\n\t"                                                                       \
    "  ldd \\a+1, Z+4*\\i+1\n\t"                                                                   \
    "  ldd \\a+2, Z+4*\\i+2\n\t"                                                                   \
    "  ldd \\a+3, Z+4*\\i+3\n\t"                                                                   \
    ".endm\n\t"                                                                                    \
    ".macro store_ a, i\n\t"                                                                       \
    "  std Z+4*\\i, \\a\n\t"                                                                       \
    "  std Z+4*\\i+1, \\a+1\n\t"                                                                   \
    "  std Z+4*\\i+2, \\a+2\n\t"                                                                   \
    "  std Z+4*\\i+3, \\a+3\n\t"                                                                   \
    ".endm\n\t"

#define DEFINE_MACROS SLICE ADD STEP CONSTANT SHIFT ROW MOVE

/* The macros are known until here, so that the code may stand in a file more than once. */
#define FORGET_MACROS                                                                              \
    ".purgem slice_\n\t.purgem add_\n\t.purgem add_5_times_\n\t.purgem add_6_times_\n\t"           \
    ".purgem add_11_times_\n\t.purgem step_\n\t.purgem constant_\n\t.purgem right_\n\t"            \
    ".purgem left_\n\t.purgem shift_\n\t.purgem row_\n\t.purgem load_\n\t.purgem store_\n\t"

#endif
