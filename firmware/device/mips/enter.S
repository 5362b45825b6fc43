/*
 * MIPS32 release 2: enters a call and counts its cycles.
 *
 * Count of coprocessor 0 is read right before the call and right after the return; interrupts are
 * off throughout. It changes every second cycle, so the call waits until it has just changed: equal
 * calls then give equal counts. An exception ends the call; its vector is at 0x180 from the first
 * byte of the monitor, which is a multiple of 4 KB.
 *
 * Count, Status, Cause, EPC and EBase: MIPS32 Architecture For Programmers, volume III (MD00090),
 * chapter "CP0 Registers"; the vector's address: table "Exception Vector Base Addresses". Count's
 * rate: PIC32MX3XX/4XX data sheet (DS61143H), 3.2.2.
 */
#include "../mailbox.h"

        .set    noreorder
        .set    nomips16
        .set    noat

        .equ    BEV, 1 << 22

        .section .text.pw_device, "ax", @progbits

        /* The host starts here. EBase may change only while the boot vectors are in use. */
        .global pw_device_run
        .type   pw_device_run, @function
pw_device_run:
        la      $sp, pw_monitor_stack
        lui     $t0, BEV >> 16
        mtc0    $t0, $12
        ehb
        la      $t0, pw_device_run
        mtc0    $t0, $15, 1
        ehb
        mtc0    $zero, $13
        mtc0    $zero, $12
        ehb
        jal     pw_device_step
        nop
        .global pw_device_done
pw_device_done:
        b       pw_device_done
        nop
        .size   pw_device_run, . - pw_device_run

        .org    0x180
fault:
        la      $k0, pw_mailbox
        mfc0    $k1, $14
        li      $v0, PW_FAULT
        sw      $k1, PW_PC($k0)
        /* Ends the exception without returning to where it occurred. */
        mtc0    $zero, $12
        ehb
        b       leave
        nop

        /* a0: the stack pointer. */
        .global pw_device_enter
        .type   pw_device_enter, @function
pw_device_enter:
        addiu   $sp, $sp, -48
        sw      $ra, 0($sp)
        sw      $s0, 4($sp)
        sw      $s1, 8($sp)
        sw      $s2, 12($sp)
        sw      $s3, 16($sp)
        sw      $s4, 20($sp)
        sw      $s5, 24($sp)
        sw      $s6, 28($sp)
        sw      $s7, 32($sp)
        sw      $fp, 36($sp)
        sw      $gp, 40($sp)
        la      $t0, pw_mailbox
        sw      $sp, PW_SAVED($t0)
        sw      $zero, PW_OVERFLOWS($t0)
        move    $sp, $a0
        lw      $t9, PW_ADDRESS($t0)
        lw      $a0, PW_REGISTERS + 0($t0)
        lw      $a1, PW_REGISTERS + 4($t0)
        lw      $a2, PW_REGISTERS + 8($t0)
        lw      $a3, PW_REGISTERS + 12($t0)
        /* The two pairs of reads are an odd number of cycles apart, so one of them sees the change. The
           call follows both at the same distance. The limit is for counters of another rate. */
        li      $t3, 4
1:      mfc0    $t1, $9
        mfc0    $t2, $9
        nop
        bne     $t1, $t2, 2f
        addiu   $t3, $t3, -1
        mfc0    $t1, $9
        mfc0    $t2, $9
        nop
        bne     $t1, $t2, 2f
        nop
        bgtz    $t3, 1b
        nop
2:      mfc0    $s0, $9
        jalr    $t9
        nop
        mfc0    $t1, $9
        la      $t0, pw_mailbox
        sw      $s0, PW_START($t0)
        sw      $t1, PW_END($t0)
        sw      $v0, PW_RESULT($t0)
        li      $v0, PW_DONE

        /* v0: the status. The stack pointer may have any value. */
leave:
        la      $t0, pw_mailbox
        lw      $sp, PW_SAVED($t0)
        lw      $ra, 0($sp)
        lw      $s0, 4($sp)
        lw      $s1, 8($sp)
        lw      $s2, 12($sp)
        lw      $s3, 16($sp)
        lw      $s4, 20($sp)
        lw      $s5, 24($sp)
        lw      $s6, 28($sp)
        lw      $s7, 32($sp)
        lw      $fp, 36($sp)
        lw      $gp, 40($sp)
        jr      $ra
        addiu   $sp, $sp, 48
        .size   pw_device_enter, . - pw_device_enter
