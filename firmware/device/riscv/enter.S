/*
 * RISC-V: enters a call and counts its cycles.
 *
 * `mcycle` is read right before the call instruction and right after the return; interrupts are
 * disabled throughout. An exception ends the call. Counters and traps: The RISC-V Instruction Set
 * Manual, volume II, sections 3.1.7, 3.1.10 and 3.1.15.
 */
#include "../mailbox.h"

        .section .text.pw_device, "ax", @progbits
        .option arch, +zicsr

        /* The host starts here. */
        .global pw_device_run
        .type   pw_device_run, @function
pw_device_run:
        csrci   mstatus, 8
        la      sp, pw_monitor_stack
        call    pw_device_step
        .global pw_device_done
pw_device_done:
        j       pw_device_done
        .size   pw_device_run, . - pw_device_run

#ifdef PW_UART
        .global pw_device_serial
        .type   pw_device_serial, @function
pw_device_serial:
        csrci   mstatus, 8
        la      sp, pw_monitor_stack
        j       pw_serial_loop
        .size   pw_device_serial, . - pw_device_serial
#endif

        .global pw_device_enter
        .type   pw_device_enter, @function
pw_device_enter:
        addi    sp, sp, -64
        sw      ra, 0(sp)
        sw      s0, 4(sp)
        sw      s1, 8(sp)
        sw      s2, 12(sp)
        sw      s3, 16(sp)
        sw      s4, 20(sp)
        sw      s5, 24(sp)
        sw      s6, 28(sp)
        sw      s7, 32(sp)
        sw      s8, 36(sp)
        sw      s9, 40(sp)
        sw      s10, 44(sp)
        sw      s11, 48(sp)
        sw      gp, 52(sp)
        la      s0, pw_mailbox
        sw      sp, PW_SAVED(s0)
        sw      zero, PW_OVERFLOWS(s0)
        la      t0, fault
        csrw    mtvec, t0
        mv      sp, a0
        lw      t1, PW_ADDRESS(s0)
        lw      gp, PW_POINTER(s0)
        lw      a0, PW_REGISTERS + 0(s0)
        lw      a1, PW_REGISTERS + 4(s0)
        lw      a2, PW_REGISTERS + 8(s0)
        lw      a3, PW_REGISTERS + 12(s0)
        lw      a4, PW_REGISTERS + 16(s0)
        lw      a5, PW_REGISTERS + 20(s0)
        lw      a6, PW_REGISTERS + 24(s0)
        lw      a7, PW_REGISTERS + 28(s0)
        csrr    s1, mcycle
        jalr    t1
        csrr    t1, mcycle
        la      s0, pw_mailbox
        sw      s1, PW_START(s0)
        sw      t1, PW_END(s0)
        sw      a0, PW_RESULT(s0)
        li      a0, PW_DONE

        /* a0: the status. The stack pointer may have any value. */
leave:
        la      s0, pw_mailbox
        lw      sp, PW_SAVED(s0)
        lw      ra, 0(sp)
        lw      s0, 4(sp)
        lw      s1, 8(sp)
        lw      s2, 12(sp)
        lw      s3, 16(sp)
        lw      s4, 20(sp)
        lw      s5, 24(sp)
        lw      s6, 28(sp)
        lw      s7, 32(sp)
        lw      s8, 36(sp)
        lw      s9, 40(sp)
        lw      s10, 44(sp)
        lw      s11, 48(sp)
        lw      gp, 52(sp)
        addi    sp, sp, 64
        ret
        .size   pw_device_enter, . - pw_device_enter

        /* mtvec's base is a multiple of four. The handler ends without mret. */
        .balign 4
fault:
        la      s0, pw_mailbox
        csrr    t0, mepc
        sw      t0, PW_PC(s0)
        li      a0, PW_FAULT
        j       leave
