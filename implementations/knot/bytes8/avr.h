/*
 * Assembler macros for KNOT's rounds on an AVR, and the assignment of registers.
 *
 * References: AVR Instruction Set Manual (DS40002198); "KNOT" (2019), section 2 (see knot.h).
 *
 * Row 0 of the rows, each of w_ bytes, stays in memory, since it never moves. Rows that move by
 * whole bytes are in registers, where moving a byte only renames registers. After two rounds they
 * have moved by an even number of bytes, and MOVW moves pairs back.
 *
 *   w_   r2...            then              then            r29
 *    8   row 2            row 3             row 1
 *   12   row 2            row 3                             a byte of row 1
 *   16   row 3            row 1, bytes 0-4  r23-r25, below  a byte of row 2
 *
 * For 16, r23 holds a byte of row 1, and r24, r25 and r29 in turn the next bytes of row 2: each is
 * loaded two columns before its position is overwritten. Everything else is in memory, where Z
 * points. X is temporary, r28 the round constant, r0 how many pairs of rounds are left, r1 has all
 * bits set.
 *
 * Row 1 is rotated while it is computed: in a column, only COM in the first one changes the carry
 * flag that passes from byte to byte: it sets it. So bit 0 of the row is set at first, and replaced
 * by the last carry with ADC and 255. That sets the carry flag again as needed for row 3. For 12,
 * the last carry is kept in the T flag until byte 0 is loaded again.
 */
#ifndef PENNYWEIGHT_KNOT_AVR_H
#define PENNYWEIGHT_KNOT_AVR_H

/* clang-format off */

#define DEFINE_MACROS                                                                              \
    ".set w_, %[width]\n\t"                                                                        \
    ".set bits_, %[lfsr_bits]\n\t"                                                                 \
    ".if w_ == 16\n\t"                                                                             \
    "  .set row1_, 18\n\t"                                                                         \
    "  .set row3_, 2\n\t"                                                                          \
    "  .set kept_, 5\n\t" /* bytes of row 1 */                                                     \
    "  .set other_, 23\n\t" /* for bytes of row 1 that are not */                                  \
    ".else\n\t"                                                                                    \
    "  .set row1_, 18\n\t"                                                                         \
    "  .set row2_, 2\n\t"                                                                          \
    "  .set row3_, 2 + w_\n\t"                                                                     \
    "  .set kept_, (w_ & 8) - (w_ & 4) * 2\n\t" /* all or none */                                 \
    "  .set other_, 29\n\t"                                                                        \
    ".endif\n\t"                                                                                   \
    /* The numbers of bytes by which rows 2 and 3 move upwards. */                                            \
    ".set move2_, 1 + w_ / 16\n\t"                                                                 \
    ".set move3_, 3 + (w_ & 4)\n\t"                                                                \
    /* The register that has byte \i of row 2 in the first (\k = 0) or second (\k = 1) round. */   \
    ".macro name2_ i, k\n\t"                                                                       \
    "  .if w_ == 16\n\t"                                                                           \
    "    .set a2_, 24 + (\\i + 2 * \\k) %% 3\n\t"                                                  \
    "    .if a2_ == 26\n\t"                                                                        \
    "      .set a2_, 29\n\t"                                                                       \
    "    .endif\n\t"                                                                               \
    "  .else\n\t"                                                                                  \
    "    .set a2_, row2_ + (\\i + \\k * (w_ - move2_)) %% w_\n\t"                                  \
    "  .endif\n\t"                                                                                 \
    ".endm\n\t"                                                                                    \
    /* The same of row 3. */                                                                       \
    ".macro name3_ i, k\n\t"                                                                       \
    "  .set a3_, row3_ + (\\i + \\k * (w_ - move3_)) %% w_\n\t"                                    \
    ".endm\n\t"                                                                                    \
    /* The next round constant. Its upper two bits are added by a carry between them. */           \
    ".macro next_\n\t"                                                                             \
    "  mov r26, r28\n\t"                                                                           \
    "  .if bits_ == 8\n\t"                                                                         \
    "    swap r26\n\t"                                                                             \
    "    eor r26, r28\n\t"                                                                         \
    "    mov r23, r28\n\t"                                                                         \
    "    subi r23, -0x10\n\t"                                                                      \
    "    lsl r23\n\t"                                                                              \
    "    lsl r23\n\t"                                                                              \
    "    eor r26, r23\n\t"                                                                         \
    "    lsl r26\n\t"                                                                              \
    "    rol r28\n\t"                                                                              \
    "  .else\n\t"                                                                                  \
    "    subi r26, -(1 << (bits_ - 2))\n\t"                                                        \
    "    bst r26, bits_ - 1\n\t"                                                                   \
    "    lsl r28\n\t"                                                                              \
    "    bld r28, 0\n\t"                                                                           \
    "    andi r28, (1 << bits_) - 1\n\t"                                                           \
    "  .endif\n\t"                                                                                 \
    ".endm\n\t"                                                                                    \
    /* SubColumn on byte \i of all rows, and the rotation of row 1. */                             \
    ".macro column_ i, k\n\t"                                                                      \
    "  ldd r27, Z + \\i\n\t"                                                                       \
    "  .if \\i < kept_\n\t"                                                                        \
    "    .set a1_, row1_ + \\i\n\t"                                                                \
    "  .else\n\t"                                                                                  \
    "    .set a1_, other_\n\t"                                                                     \
    "    ldd a1_, Z + w_ + \\i\n\t"                                                                \
    "  .endif\n\t"                                                                                 \
    "  .if \\i == 0\n\t"                                                                           \
    "    eor r27, r28\n\t"                                                                         \
    "    .if kept_ == 0\n\t"                                                                       \
    "      bld a1_, 0\n\t"                                                                         \
    "    .endif\n\t"                                                                               \
    "    next_\n\t"                                                                                \
    "    com r27\n\t"                                                                              \
    "  .else\n\t"                                                                                  \
    "    eor r27, r1\n\t"                                                                          \
    "  .endif\n\t"                                                                                 \
    "  .if w_ == 16 && \\i < 14\n\t"                                                               \
    "    name2_ (\\i+2), \\k\n\t"                                                                  \
    "    ldd a2_, Z + 2 * w_ + \\i + 2\n\t"                                                        \
    "  .endif\n\t"                                                                                 \
    "  name2_ \\i, \\k\n\t"                                                                        \
    "  name3_ \\i, \\k\n\t"                                                                        \
    "  mov r26, r27\n\t"                                                                           \
    "  and r26, a1_\n\t"                                                                           \
    "  eor r26, a2_\n\t" /* t3 */                                                                  \
    "  eor r27, a3_\n\t" /* t6 */                                                                  \
    "  or a2_, a1_\n\t"                                                                            \
    "  eor a2_, r27\n\t" /* b2 */                                                                  \
    "  eor a1_, a3_\n\t" /* t8 */                                                                  \
    "  and r27, r26\n\t"                                                                           \
    "  eor r27, a1_\n\t" /* b0 */                                                                  \
    "  std Z + \\i, r27\n\t"                                                                       \
    "  eor a3_, r26\n\t" /* b3 */                                                                  \
    "  and a1_, a2_\n\t"                                                                           \
    "  eor a1_, r26\n\t" /* b1 */                                                                  \
    "  .if kept_ == 0 && \\i == w_ - 1\n\t"                                                        \
    "    bst a1_, 7\n\t"                                                                           \
    "  .endif\n\t"                                                                                 \
    "  rol a1_\n\t"                                                                                \
    "  .if \\i >= kept_\n\t"                                                                       \
    "    std Z + w_ + \\i, a1_\n\t"                                                                \
    "  .endif\n\t"                                                                                 \
    "  .if w_ == 16 && \\i < 14\n\t"                                                               \
    "    std Z + 2 * w_ + \\i + 2, a2_\n\t"                                                        \
    "  .endif\n\t"                                                                                 \
    ".endm\n\t"                                                                                    \
    ".macro round_ k\n\t"                                                                          \
    "  .set i_, 0\n\t"                                                                             \
    "  .rept w_\n\t"                                                                               \
    "    column_ i_, \\k\n\t"                                                                      \
    "    .set i_, i_ + 1\n\t"                                                                      \
    "  .endr\n\t"                                                                                  \
    "  .if w_ == 12\n\t" /* row 3 moves by 7 bytes, less a bit */                                  \
    "    name3_ 0, \\k\n\t"                                                                        \
    "    mov r26, a3_\n\t"                                                                         \
    "    lsr r26\n\t"                                                                              \
    "    .rept w_\n\t"                                                                             \
    "      .set i_, i_ - 1\n\t"                                                                    \
    "      name3_ i_, \\k\n\t"                                                                     \
    "      ror a3_\n\t"                                                                            \
    "    .endr\n\t"                                                                                \
    "  .else\n\t" /* by 3 bytes and a bit */                                                       \
    "    adc row1_, r1\n\t"                                                                        \
    "    .set i_, 0\n\t"                                                                           \
    "    .rept w_\n\t"                                                                             \
    "      name3_ i_, \\k\n\t"                                                                     \
    "      rol a3_\n\t"                                                                            \
    "      .set i_, i_ + 1\n\t"                                                                    \
    "    .endr\n\t"                                                                                \
    "    name3_ 0, \\k\n\t"                                                                        \
    "    adc a3_, r1\n\t"                                                                          \
    "  .endif\n\t"                                                                                 \
    ".endm\n\t"                                                                                    \
    /* Moves the bytes of a row back, which has moved by \move each round. */     \
    ".macro return_ row, move\n\t"                                                                 \
    "  .set i_, 0\n\t"                                                                             \
    "  movw r26, \\row\n\t"                                                                        \
    "  .rept w_ / 2 - 1\n\t"                                                                       \
    "    .set from_, (i_ + 2 * (w_ - \\move)) %% w_\n\t"                                           \
    "    movw \\row + i_, \\row + from_\n\t"                                                       \
    "    .set i_, from_\n\t"                                                                       \
    "  .endr\n\t"                                                                                  \
    "  movw \\row + i_, r26\n\t"                                                                   \
    ".endm\n\t"                                                                                    \
    ".macro two_rounds_\n\t"                                                                       \
    "  round_ 0\n\t"                                                                               \
    "  round_ 1\n\t"                                                                               \
    "  .if w_ == 16\n\t"                                                                           \
    "    mov r24, r25\n\t"                                                                         \
    "    mov r25, r29\n\t"                                                                         \
    "  .else\n\t"                                                                                  \
    "    return_ row2_, move2_\n\t"                                                                \
    "  .endif\n\t"                                                                                 \
    "  return_ row3_, move3_\n\t"                                                                  \
    ".endm\n\t"                                                                                    \
    /* LDD to or STD from registers, \n bytes of the state from byte \at on. */                    \
    ".macro each_ op, r, at, n\n\t"                                                                \
    "  .set i_, 0\n\t"                                                                             \
    "  .rept \\n\n\t"                                                                              \
    "    .ifc \\op, ldd\n\t"                                                                       \
    "      ldd \\r + i_, Z + \\at + i_\n\t"                                                        \
    "    .else\n\t"                                                                                \
    "      std Z + \\at + i_, \\r + i_\n\t"                                                        \
    "    .endif\n\t"                                                                               \
    "    .set i_, i_ + 1\n\t"                                                                      \
    "  .endr\n\t"                                                                                  \
    ".endm\n\t"                                                                                    \
    /* The contents of registers between rounds. */                                                     \
    ".macro rows_ op\n\t"                                                                          \
    "  each_ \\op, row1_, w_, kept_\n\t"                                                           \
    "  .if w_ == 16\n\t"                                                                           \
    "    each_ \\op, 24, 2 * w_, 2\n\t"                                                            \
    "  .else\n\t"                                                                                  \
    "    each_ \\op, row2_, 2 * w_, w_\n\t"                                                        \
    "  .endif\n\t"                                                                                 \
    "  each_ \\op, row3_, 3 * w_, w_\n\t"                                                          \
    ".endm\n\t"

#define FORGET_MACROS                                                                              \
    ".purgem name2_\n\t.purgem name3_\n\t.purgem next_\n\t.purgem column_\n\t.purgem round_\n\t"   \
    ".purgem return_\n\t.purgem two_rounds_\n\t.purgem each_\n\t.purgem rows_\n\t"

/* clang-format on */

#endif
