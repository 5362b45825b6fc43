/*
 * Xtensa: enters a call of the CALL0 ABI and counts its cycles.
 *
 * CCOUNT is read right before the call and right after the return; interrupts are off throughout.
 * An exception ends the call. Its vectors are in the first bytes of the monitor, which are a
 * multiple of 1024: those of the LX106 at 0x10 to 0x70, those of the LX6 at 0x300 to 0x3c0.
 *
 * CCOUNT, PS, VECBASE and exceptions: Xtensa Instruction Set Architecture Reference Manual, 4.4.1,
 * 4.4.3, 4.4.6 and 5.3; the vectors' offsets are those of Espressif's configurations.
 */
#include "../mailbox.h"

        .section .text.pw_device, "ax", @progbits

        /* The lowest interrupt level at which only debug exceptions and NMI occur: the LX106's debug
           level is 2, the LX6's 6. No interrupt is enabled anyway. */
        .equ    LEVEL, 1

        .macro  vector offset
        .org    \offset
        j       fault
        .endm

        .global pw_device_vectors
pw_device_vectors:
        vector  0x30    /* LX106: from kernel mode */
        vector  0x50    /* from user mode */
        vector  0x70    /* in an exception */

        /* L32R reads words in front of it. */
        .org    0x80
mailbox:
        .word   pw_mailbox
stack:  .word   pw_monitor_stack
vectors:
        .word   pw_device_vectors

        /* The host starts here. */
        .align  4
        .global pw_device_run
        .type   pw_device_run, @function
pw_device_run:
        l32r    a1, stack
        movi    a2, 0
        wsr     a2, intenable
        l32r    a2, vectors
        wsr     a2, vecbase
        movi    a2, LEVEL
        wsr     a2, ps
        rsync
        call0   pw_device_step
        .global pw_device_done
pw_device_done:
        j       pw_device_done
        .size   pw_device_run, . - pw_device_run

        /* The program counter is in EPC1, in an exception's own exception in DEPC. */
fault:
        l32r    a3, mailbox
        rsr     a2, epc1
        s32i    a2, a3, PW_PC
        /* Ends the exception without returning to where it occurred. */
        movi    a2, LEVEL
        wsr     a2, ps
        rsync
        movi    a2, PW_FAULT
        j       leave

        /* a2: the stack pointer. */
        .align  4
        .global pw_device_enter
        .type   pw_device_enter, @function
pw_device_enter:
        addi    a1, a1, -32
        s32i    a0, a1, 0
        s32i    a12, a1, 4
        s32i    a13, a1, 8
        s32i    a14, a1, 12
        s32i    a15, a1, 16
        l32r    a12, mailbox
        s32i    a1, a12, PW_SAVED
        movi    a13, 0
        s32i    a13, a12, PW_OVERFLOWS
        l32i    a14, a12, PW_ADDRESS
        mov     a1, a2
        l32i    a2, a12, PW_REGISTERS + 0
        l32i    a3, a12, PW_REGISTERS + 4
        l32i    a4, a12, PW_REGISTERS + 8
        l32i    a5, a12, PW_REGISTERS + 12
        l32i    a6, a12, PW_REGISTERS + 16
        l32i    a7, a12, PW_REGISTERS + 20
        .align  4
        rsr     a13, ccount
        callx0  a14
        rsr     a8, ccount
        l32r    a12, mailbox
        s32i    a13, a12, PW_START
        s32i    a8, a12, PW_END
        s32i    a2, a12, PW_RESULT
        movi    a2, PW_DONE

        /* a2: the status. The stack pointer may have any value. */
leave:
        l32r    a3, mailbox
        l32i    a1, a3, PW_SAVED
        l32i    a0, a1, 0
        l32i    a12, a1, 4
        l32i    a13, a1, 8
        l32i    a14, a1, 12
        l32i    a15, a1, 16
        addi    a1, a1, 32
        ret
        .size   pw_device_enter, . - pw_device_enter

        vector  0x300   /* LX6: from kernel mode */
        vector  0x340   /* from user mode */
        vector  0x3c0   /* in an exception */
