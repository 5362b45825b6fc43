/*
 * Assembler macros for Spongent-pi in the registers of an AVR, and the register
 * assignment.
 *
 * References: AVR Instruction Set Manual (DS40002198); permute.c, where the layers are explained.
 *
 * The bytes of the state stay in r0 to r25, r28 and r29. X, r26 and r27, is temporary, Z points to
 * the constants. Moving a byte to its position only renames registers: the next round reads it
 * where a round leaves it. A program searched for the assignment below with few remaining moves: x0
 * and x3 of a group should be an even register and the next one, which MOVW copies at once, and
 * after two rounds all bytes must be back in place.
 */
#ifndef PENNYWEIGHT_SPONGENT_AVR_H
#define PENNYWEIGHT_SPONGENT_AVR_H

/* clang-format off */

#define DEFINE_MACROS                                                                              \
    /* Shifts \r left or right, \op, by \n = 1, 2 or 4. */                        \
    ".macro shift_ op, r, n\n\t"                                                                   \
    "  .if \\n == 4\n\t"                                                                           \
    "    swap \\r\n\t"                                                                             \
    "  .else\n\t"                                                                                  \
    "    \\op \\r\n\t"                                                                             \
    "    .if \\n == 2\n\t"                                                                         \
    "      \\op \\r\n\t"                                                                           \
    "    .endif\n\t"                                                                               \
    "  .endif\n\t"                                                                                 \
    ".endm\n\t"                                                                                    \
    /* \s = \a and \t = \d, where \s and \t are X. */                                              \
    ".macro copy_ s, t, a, d\n\t"                                                                  \
    "  .if (\\a ^ \\d) == 1\n\t"                                                                   \
    "    movw 26, (\\a) & 30\n\t"                                                                  \
    "  .else\n\t"                                                                                  \
    "    mov \\s, \\a\n\t"                                                                         \
    "    mov \\t, \\d\n\t"                                                                         \
    "  .endif\n\t"                                                                                 \
    ".endm\n\t"                                                                                    \
    /* Exchanges the bits of \a under \m << \n with those of \b under \m, and the bits of \c under \
     * \m << \n with those of \d under \m. */                                                      \
    ".macro exchange_ n, m, a, b, c, d, s, t\n\t"                                                  \
    "  copy_ \\s, \\t, \\a, \\d\n\t"                                                               \
    "  shift_ lsr, \\s, \\n\n\t"                                                                   \
    "  shift_ lsl, \\t, \\n\n\t"                                                                   \
    "  eor \\s, \\b\n\t"                                                                           \
    "  eor \\t, \\c\n\t"                                                                           \
    "  andi \\s, \\m\n\t"                                                                          \
    "  andi \\t, 255 - \\m\n\t"                                                                    \
    "  eor \\b, \\s\n\t"                                                                           \
    "  eor \\c, \\t\n\t"                                                                           \
    "  shift_ lsl, \\s, \\n\n\t"                                                                   \
    "  shift_ lsr, \\t, \\n\n\t"                                                                   \
    "  eor \\a, \\s\n\t"                                                                           \
    "  eor \\d, \\t\n\t"                                                                           \
    ".endm\n\t"                                                                                    \
    /* The S-box (see sbox.h) of a to d; y0 in \b or, if that is \y0, in \q, y1 in \s, y2 in \d,   \
     * y3 in \a. \s is \c or \r: the other one is to hold c. Here z is c ^ (a | s). */             \
    ".macro sbox_ a, b, c, d, y0, s, q, r, z, t\n\t"                                               \
    "  copy_ \\z, \\t, \\a, \\d\n\t"                                                               \
    "  mov \\q, \\b\n\t"                                                                           \
    "  and \\q, \\c\n\t"                                                                           \
    "  eor \\q, \\a\n\t"                                                                           \
    "  and \\a, \\b\n\t"                                                                           \
    "  eor \\a, \\c\n\t"                                                                           \
    "  .if \\s == \\c\n\t"                                                                         \
    "    mov \\r, \\c\n\t"                                                                         \
    "    eor \\c, \\b\n\t"                                                                         \
    "    or \\z, \\c\n\t"                                                                          \
    "    eor \\z, \\r\n\t"                                                                         \
    "  .else\n\t"                                                                                  \
    "    mov \\s, \\b\n\t"                                                                         \
    "    eor \\s, \\c\n\t"                                                                         \
    "    or \\z, \\s\n\t"                                                                          \
    "    eor \\z, \\c\n\t"                                                                         \
    "  .endif\n\t"                                                                                 \
    "  eor \\b, \\d\n\t"                                                                           \
    "  .if \\y0 == \\b\n\t"                                                                        \
    "    eor \\b, \\q\n\t"                                                                         \
    "  .endif\n\t"                                                                                 \
    "  com \\t\n\t"                                                                                \
    "  and \\d, \\q\n\t"                                                                           \
    "  eor \\d, \\s\n\t"                                                                           \
    "  com \\d\n\t"                                                                                \
    "  or \\z, \\t\n\t"                                                                            \
    "  eor \\a, \\z\n\t"                                                                           \
    "  and \\s, \\t\n\t"                                                                           \
    "  eor \\s, \\q\n\t"                                                                           \
    "  eor \\s, \\d\n\t"                                                                           \
    "  .if \\y0 == \\q\n\t"                                                                        \
    "    eor \\q, \\b\n\t"                                                                         \
    "  .endif\n\t"                                                                                 \
    ".endm\n\t"                                                                                    \
    ".macro slices_ x0, x1, x2, x3, y0, y1, q, r\n\t"                                              \
    "  exchange_ 2, 0x33, \\x0, \\x1, \\x2, \\x3, 26+(\\x0&1), 27-(\\x0&1)\n\t"                    \
    "  sbox_ \\x0, \\x2, \\x1, \\x3, \\y0, \\y1, \\q, \\r, 26+(\\x0&1), 27-(\\x0&1)\n\t"           \
    ".endm\n\t"                                                                                    \
    /* The slices, after the S-box, of four bytes: in \y0, \y1, \x3 and \x0. The order of bits is  \
     * given by \n, as in permute.c. */                                                            \
    ".macro four_ n, x0, x1, x2, x3, y0, y1, q, r\n\t"                                             \
    "  .if \\n == 1\n\t"                                                                           \
    "    exchange_ 1, 0x55, \\x0, \\x2, \\x1, \\x3, 26+(\\x0&1), 27-(\\x0&1)\n\t"                  \
    "  .else\n\t"                                                                                  \
    "    exchange_ 4, 0x0f, \\x0, \\x2, \\x1, \\x3, 26+(\\x0&1), 27-(\\x0&1)\n\t"                  \
    "  .endif\n\t"                                                                                 \
    "  slices_ \\x0, \\x1, \\x2, \\x3, \\y0, \\y1, \\q, \\r\n\t"                                   \
    ".endm\n\t"                                                                                    \
    /* The same for two bytes: the nibbles j1 = 0 of the slices. */                                \
    ".macro two_ n, x0, x1, x2, x3, y0, y1, q, r\n\t"                                              \
    "  mov \\x2, \\x0\n\t"                                                                         \
    "  mov \\x3, \\x1\n\t"                                                                         \
    "  shift_ lsr, \\x2, \\n\n\t"                                                                  \
    "  shift_ lsr, \\x3, \\n\n\t"                                                                  \
    "  slices_ \\x0, \\x1, \\x2, \\x3, \\y0, \\y1, \\q, \\r\n\t"                                   \
    ".endm\n\t"                                                                                    \
    /* Adds the next two constants to the first byte and to the last one. */                       \
    ".macro add_ first, last\n\t"                                                                  \
    "  lpm r26, Z+\n\t"                                                                            \
    "  lpm r27, Z+\n\t"                                                                            \
    "  eor \\first, r26\n\t"                                                                       \
    "  eor \\last, r27\n\t"                                                                        \
    ".endm\n\t"                                                                                    \
    /* Makes of \p the byte of its nibble j1 = 1 and, above it, the nibble j1 = 0 of \x. The order \
     * of bits was \n before the round. If it was 4, r29 is 0x0f, and \p has been an \x, so that   \
     * it is rotated already, or has the nibble at j1 = 0, \low, as it may if \n is 1, \
     * where r29 is 0x55. */                                                                       \
    ".macro join_one_ n, low, p, x\n\t"                                                            \
    "  .if \\n == 4\n\t"                                                                           \
    "    swap \\x\n\t"                                                                             \
    "    eor \\p, \\x\n\t"                                                                         \
    "    and \\p, r29\n\t"                                                                         \
    "    eor \\p, \\x\n\t"                                                                         \
    "  .else\n\t"                                                                                  \
    "    mov r26, \\x\n\t"                                                                         \
    "    lsl r26\n\t"                                                                              \
    "    .if \\low == 0\n\t"                                                                       \
    "      lsr \\p\n\t"                                                                            \
    "    .endif\n\t"                                                                               \
    "    eor \\p, r26\n\t"                                                                         \
    "    and \\p, r29\n\t"                                                                         \
    "    eor \\p, r26\n\t"                                                                         \
    "  .endif\n\t"                                                                                 \
    ".endm\n\t"                                                                                    \
    ".macro join_ n, low, p1, x1, p3, x3\n\t"                                                      \
    "  join_one_ \\n, \\low, \\p1, \\x1\n\t"                                                       \
    "  join_one_ \\n, \\low, \\p3, \\x3\n\t"                                                       \
    ".endm\n\t"

#define FORGET_MACROS                                                                              \
    ".purgem shift_\n\t.purgem copy_\n\t.purgem exchange_\n\t.purgem sbox_\n\t.purgem slices_\n\t" \
    ".purgem four_\n\t.purgem two_\n\t.purgem add_\n\t.purgem join_one_\n\t.purgem join_\n\t"

/* Registers of the state, from its first byte or its last one on, and two rounds upon them: from
 * the usual order of bits to the other, and back. */
#if SPONGENT_BYTES == 20

#define EACH_BYTE(op)                                                                              \
    op(19) op(2) op(18) op(8) op(12) op(15) op(25) op(13) op(5) op(3) op(28) op(4) op(6)           \
    op(22) op(16) op(7) op(11) op(1) op(23) op(10)
#define EACH_BYTE_FROM_LAST(op)                                                                    \
    op(10) op(23) op(1) op(11) op(7) op(16) op(22) op(6) op(4) op(28) op(3) op(5) op(13)           \
    op(25) op(15) op(12) op(8) op(18) op(2) op(19)

#define TWO_ROUNDS                                                                                 \
    "add_ 19, 10\n\t"                                                                              \
    "four_ 1, 11, 1, 23, 10, 21, 9, 21, 9\n\t"                                                     \
    "four_ 1, 5, 3, 28, 4, 17, 20, 17, 20\n\t"                                                     \
    "four_ 1, 6, 22, 16, 7, 28, 1, 28, 1\n\t"                                                      \
    "mov r22, r19\n\t"                                                                             \
    "mov r23, r8\n\t"                                                                              \
    "four_ 1, 22, 2, 18, 23, 29, 24, 29, 24\n\t"                                                   \
    "four_ 1, 12, 15, 25, 13, 16, 2, 16, 2\n\t"                                                    \
    "add_ 29, 11\n\t"                                                                              \
    "mov r0, r13\n\t"                                                                              \
    "four_ 4, 1, 9, 23, 0, 18, 13, 18, 13\n\t"                                                     \
    "four_ 4, 29, 16, 17, 28, 19, 15, 19, 15\n\t"                                                  \
    "four_ 4, 21, 24, 2, 20, 2, 25, 16, 25\n\t"                                                    \
    "mov r23, r4\n\t"                                                                              \
    "four_ 4, 23, 7, 10, 22, 8, 7, 8, 3\n\t"                                                       \
    "mov r10, r12\n\t"                                                                             \
    "four_ 4, 10, 5, 6, 11, 12, 3, 12, 3\n\t"                                                      \
    "mov r5, r7\n\t"                                                                               \
    "mov r4, r20\n\t"                                                                              \
    "mov r6, r0\n\t"                                                                               \
    "mov r16, r11\n\t"                                                                             \
    "mov r7, r29\n\t"                                                                              \
    "mov r11, r21\n\t"

#else

#define EACH_BYTE(op)                                                                              \
    op(23) op(25) op(1) op(22) op(8) op(3) op(18) op(9) op(19) op(17) op(28) op(14) op(13)         \
    op(16) op(4) op(12) op(7) op(5) op(11) op(6) op(21) op(2)
#define EACH_BYTE_FROM_LAST(op)                                                                    \
    op(2) op(21) op(6) op(11) op(5) op(7) op(12) op(4) op(16) op(13) op(14) op(28) op(17)          \
    op(19) op(9) op(18) op(3) op(8) op(22) op(1) op(25) op(23)

#define TWO_ROUNDS                                                                                 \
    "ldi r29, 0x55\n\t"                                                                            \
    "add_ 23, 2\n\t"                                                                               \
    "two_ 1, 21, 2, 10, 20, 24, 0, 24, 0\n\t"                                                      \
    "four_ 1, 23, 25, 1, 22, 1, 25, 10, 15\n\t"                                                    \
    "join_ 1, 1, 24, 25, 20, 23\n\t"                                                               \
    "four_ 1, 8, 3, 18, 9, 18, 10, 2, 10\n\t"                                                      \
    "join_ 1, 0, 25, 10, 23, 8\n\t"                                                                \
    "mov r15, r19\n\t"                                                                             \
    "four_ 1, 15, 17, 28, 14, 2, 17, 2, 3\n\t"                                                     \
    "join_ 1, 0, 10, 17, 8, 15\n\t"                                                                \
    "four_ 1, 13, 16, 4, 12, 4, 19, 3, 19\n\t"                                                     \
    "join_ 1, 0, 17, 19, 15, 13\n\t"                                                               \
    "four_ 1, 7, 5, 11, 6, 11, 28, 16, 28\n\t"                                                     \
    "join_ 1, 0, 19, 28, 13, 7\n\t"                                                                \
    "join_ 1, 0, 28, 0, 7, 21\n\t"                                                                 \
    "ldi r29, 0x0f\n\t"                                                                            \
    "add_ 1, 7\n\t"                                                                                \
    "two_ 4, 13, 7, 5, 0, 3, 21, 3, 21\n\t"                                                        \
    "mov r5, r1\n\t"                                                                               \
    "four_ 4, 5, 18, 2, 4, 2, 18, 1, 7\n\t"                                                        \
    "join_ 4, 1, 3, 18, 0, 5\n\t"                                                                  \
    "four_ 4, 11, 24, 25, 10, 25, 24, 16, 1\n\t"                                                   \
    "join_ 4, 0, 18, 24, 5, 11\n\t"                                                                \
    "mov r16, r22\n\t"                                                                             \
    "four_ 4, 17, 19, 28, 16, 1, 19, 1, 7\n\t"                                                     \
    "join_ 4, 0, 24, 19, 11, 17\n\t"                                                               \
    "mov r7, r9\n\t"                                                                               \
    "four_ 4, 7, 14, 12, 6, 22, 9, 22, 9\n\t"                                                      \
    "join_ 4, 0, 19, 9, 17, 7\n\t"                                                                 \
    "mov r14, r20\n\t"                                                                             \
    "four_ 4, 14, 23, 8, 15, 8, 28, 12, 28\n\t"                                                    \
    "join_ 4, 0, 9, 28, 7, 14\n\t"                                                                 \
    "join_ 4, 0, 28, 21, 14, 13\n\t"                                                               \
    "mov r23, r2\n\t"                                                                              \
    "mov r13, r10\n\t"                                                                             \
    "mov r12, r15\n\t"                                                                             \
    "mov r21, r7\n\t"                                                                              \
    "mov r7, r0\n\t"                                                                               \
    "mov r2, r14\n\t"                                                                              \
    "mov r14, r4\n\t"                                                                              \
    "mov r4, r6\n\t"                                                                               \
    "mov r6, r17\n\t"                                                                              \
    "mov r17, r9\n\t"                                                                              \
    "mov r9, r24\n\t"

#endif

/* clang-format on */

#endif
