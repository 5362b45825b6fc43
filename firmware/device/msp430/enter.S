/*
 * MSP430: enters a call and counts its cycles.
 *
 * The stack pointer, the registers for arguments and the function come from the mailbox. Timer_A is
 * read right before the call and right after the return. Only its overflow interrupt is enabled
 * between them. It uses four bytes of the called function's stack and a constant number of cycles,
 * which the host measures with `pw_device_loop`.
 *
 * Interrupts and their cycles: MSP430x1xx Family User's Guide (SLAU049), 2.2 and 3.4.4; an
 * interrupt may still follow the instruction after `dint` (3.4.6, DINT). Timer_A: chapter 11.
 */
#include "../mailbox.h"

        .equ    TACTL, 0x0160
        .equ    TAR, 0x0170
        .equ    TAIV, 0x012e
        .equ    TAIFG, 1

        .section .text.pw_device, "ax", @progbits

        /* The host starts here. */
        .global pw_device_run
        .type   pw_device_run, @function
pw_device_run:
        dint
        nop
        mov     #pw_monitor_stack, r1
        call    #pw_device_step
        .global pw_device_done
pw_device_done:
        jmp     pw_device_done
        .size   pw_device_run, . - pw_device_run

        /* r12: the stack pointer. */
        .global pw_device_enter
        .type   pw_device_enter, @function
pw_device_enter:
        push    r4
        push    r5
        push    r6
        push    r7
        push    r8
        push    r9
        push    r10
        push    r11
        mov     r1, &pw_mailbox + PW_SAVED
        mov     #0, &pw_mailbox + PW_OVERFLOWS
        mov     #0, &pw_mailbox + PW_OVERFLOWS + 2
        mov     r12, r1
        mov     &pw_mailbox + PW_ADDRESS, r10
        mov     &pw_mailbox + PW_REGISTERS, r12
        mov     &pw_mailbox + PW_REGISTERS + 2, r13
        mov     &pw_mailbox + PW_REGISTERS + 4, r14
        mov     &pw_mailbox + PW_REGISTERS + 6, r15
        /* Wait while an overflow is near, so that none comes between clearing its flag and reading. */
1:      mov     &TAR, r11
        cmp     #0xc000, r11
        jhs     1b
        bic     #TAIFG, &TACTL
        mov     &TAR, &pw_mailbox + PW_START
        eint
        nop
        call    r10
        dint
        nop
        mov     &TAR, r14
        mov     &TACTL, r15
        mov     r14, &pw_mailbox + PW_END
        mov     #0, &pw_mailbox + PW_END + 2
        mov     r12, &pw_mailbox + PW_RESULT
        mov     #PW_DONE, r12
        /* A pending overflow was before the reading if the reading is small. */
        bit     #TAIFG, r15
        jz      pw_device_leave
        cmp     #0x8000, r14
        jhs     pw_device_leave
        mov     #1, &pw_mailbox + PW_END + 2

        /* r12: the status. The stack pointer may have any value. */
pw_device_leave:
        dint
        nop
        mov     &pw_mailbox + PW_SAVED, r1
        pop     r11
        pop     r10
        pop     r9
        pop     r8
        pop     r7
        pop     r6
        pop     r5
        pop     r4
        ret
        .size   pw_device_enter, . - pw_device_enter

        /* Timer_A's overflow vector jumps here. The handler changes no registers; reading TAIV
           clears the flag. */
        .global pw_device_overflow
        .type   pw_device_overflow, @function
pw_device_overflow:
        tst     &TAIV
        inc     &pw_mailbox + PW_OVERFLOWS
        cmp     &pw_mailbox + PW_BUDGET, &pw_mailbox + PW_OVERFLOWS
        jhs     2f
        reti
        /* The budget is used up. The program counter is above the status register. */
2:      mov     2(r1), &pw_mailbox + PW_PC
        mov     #0, &pw_mailbox + PW_PC + 2
        mov     #PW_EXPIRED, r12
        jmp     pw_device_leave
        .size   pw_device_overflow, . - pw_device_overflow
