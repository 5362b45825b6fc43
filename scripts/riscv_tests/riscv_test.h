/*
 * The environment header of the official instruction tests
 * (github.com/riscv-software-src/riscv-tests, isa/). It defines a function `work` that preserves
 * its caller's registers, returns if all cases pass and breaks if one fails, with the failing
 * case's number in gp.
 *
 * x2 is replaced by another register, since the simulators reject an invalid stack pointer.
 */
#ifndef RISCV_TEST_H
#define RISCV_TEST_H

#define x2 x18
#define sp s3
#define TESTNUM gp
#define RVTEST_RV32U
#define RVTEST_RV64U

#define EACH_KEPT(does)                                                                            \
    does ra, 0(t0);                                                                                \
    does gp, 4(t0);                                                                                \
    does tp, 8(t0);                                                                                \
    does s0, 12(t0);                                                                               \
    does s1, 16(t0);                                                                               \
    does s2, 20(t0);                                                                               \
    does s3, 24(t0);                                                                               \
    does s4, 28(t0);                                                                               \
    does s5, 32(t0);                                                                               \
    does s6, 36(t0);                                                                               \
    does s7, 40(t0);                                                                               \
    does s8, 44(t0);                                                                               \
    does s9, 48(t0);                                                                               \
    does s10, 52(t0);                                                                              \
    does s11, 56(t0);

#ifdef CLEARS_DATA
/* For a test that counts cores in its data: clears the count. */
#define PREPARE                                                                                    \
    la t1, data_begins;                                                                            \
    la t2, data_ends;                                                                              \
    9 : sb zero, 0(t1);                                                                            \
    addi t1, t1, 1;                                                                                \
    bltu t1, t2, 9b;
#else
#define PREPARE
#endif

#define RVTEST_CODE_BEGIN                                                                          \
    .text;                                                                                         \
    .balign 4;                                                                                     \
    .globl work;                                                                                   \
    work:                                                                                          \
    la t0, kept_registers;                                                                         \
    EACH_KEPT(sw)                                                                                  \
    PREPARE
#define RVTEST_CODE_END
#define RVTEST_PASS                                                                                \
    la t0, kept_registers;                                                                         \
    EACH_KEPT(lw)                                                                                  \
    ret
#define RVTEST_FAIL ebreak
#define RVTEST_DATA_BEGIN                                                                          \
    data_begins:
#define RVTEST_DATA_END                                                                            \
    data_ends:                                                                                     \
    .data;                                                                                         \
    .balign 4;                                                                                     \
    kept_registers:                                                                                \
    .skip 60

#endif
