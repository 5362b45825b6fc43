/*
 * Cortex-M: enters a call and counts its cycles. ARMv6-M instructions only.
 *
 * The counter is read right before the call instruction and right after the return. Only SysTick's
 * exception is enabled between them, every 2^24 cycles: it counts overflows and ends a call that
 * exceeds its budget. The host measures its overhead with `pw_device_loop`. Faults also enter here.
 *
 * Exceptions, their frame and EXC_RETURN: ARMv6-M Architecture Reference Manual (DDI 0419), section
 * B1.5, and Armv8-M's (DDI 0553), "EXC_RETURN". SysTick: DDI 0419, B3.3. DWT_CYCCNT: ARMv7-M
 * Architecture Reference Manual (DDI 0403), C1.8.8.
 */
#include "../mailbox.h"

        .syntax unified
        .thumb

#ifdef PW_COUNTER_DWT
        .equ    counter, 0xe0001004
#else
        .equ    counter, 0xe000e018
#endif
        .equ    icsr, 0xe000ed04
        .equ    pending_systick, 26

        .section .text.pw_device, "ax", %progbits

        /* The host starts here. */
        .global pw_device_run
        .type   pw_device_run, %function
        .thumb_func
pw_device_run:
        cpsid   i
        ldr     r0, =pw_monitor_stack
        mov     sp, r0
        bl      pw_device_step
        .global pw_device_done
        .thumb_func
pw_device_done:
        b       pw_device_done
        .size   pw_device_run, . - pw_device_run

#ifdef PW_UART
        .global pw_device_serial
        .type   pw_device_serial, %function
        .thumb_func
pw_device_serial:
        cpsid   i
        ldr     r0, =pw_monitor_stack
        mov     sp, r0
        bl      pw_started
        bl      pw_serial_loop
        .size   pw_device_serial, . - pw_device_serial
#endif
        .pool

        .global pw_device_enter
        .type   pw_device_enter, %function
        .thumb_func
pw_device_enter:
        push    {r4-r7, lr}
        mov     r4, r8
        mov     r5, r9
        mov     r6, r10
        mov     r7, r11
        push    {r4-r7}
        ldr     r7, =pw_mailbox
        ldr     r6, [r7, #PW_ADDRESS]
        movs    r2, #0
        adds    r7, #PW_REGISTERS
        mov     r1, sp
        str     r1, [r7, #PW_SAVED - PW_REGISTERS]
        str     r2, [r7, #PW_OVERFLOWS - PW_REGISTERS]
        mov     sp, r0
        ldr     r4, =counter
        ldr     r0, [r7, #0]
        ldr     r1, [r7, #4]
        ldr     r2, [r7, #8]
        ldr     r3, [r7, #12]
        cpsie   i
        isb
        ldr     r5, [r4]
        blx     r6
        ldr     r3, [r4]
        cpsid   i
        ldr     r7, =pw_mailbox
        adds    r7, #PW_REGISTERS
        str     r5, [r7, #PW_START - PW_REGISTERS]
        str     r3, [r7, #PW_END - PW_REGISTERS]
        str     r0, [r7, #PW_RESULT - PW_REGISTERS]
        movs    r0, #PW_DONE

        /* r0: the status. The stack pointer may have any value. */
leave:
        cpsid   i
        ldr     r7, =pw_mailbox
        adds    r7, #PW_REGISTERS
        ldr     r1, [r7, #PW_SAVED - PW_REGISTERS]
        mov     sp, r1
        pop     {r4-r7}
        mov     r8, r4
        mov     r9, r5
        mov     r10, r6
        mov     r11, r7
        pop     {r4-r7, pc}
        .size   pw_device_enter, . - pw_device_enter
        .pool

        .global pw_device_overflow
        .type   pw_device_overflow, %function
        .thumb_func
pw_device_overflow:
        ldr     r0, =pw_mailbox
        adds    r0, #PW_REGISTERS
        ldr     r1, [r0, #PW_OVERFLOWS - PW_REGISTERS]
        adds    r1, #1
        str     r1, [r0, #PW_OVERFLOWS - PW_REGISTERS]
        subs    r0, #PW_REGISTERS
        ldr     r2, [r0, #PW_BUDGET]
        cmp     r1, r2
        bhs     1f
        bx      lr
1:      movs    r3, #PW_EXPIRED
        b       give_up
        .size   pw_device_overflow, . - pw_device_overflow

        .global pw_device_fault
        .type   pw_device_fault, %function
        .thumb_func
pw_device_fault:
        movs    r3, #PW_FAULT

        /* r3: the status. The program counter is in the exception frame if the stack is in RAM. Thread
           mode continues at `leave` with a new frame on the monitor's stack. */
give_up:
        ldr     r0, =pw_mailbox
        movs    r1, #0
        mov     r2, sp
        cmp     r2, r0
        bhs     2f
        ldr     r4, =pw_ram_base
        cmp     r2, r4
        blo     2f
        ldr     r1, [r2, #24]
2:      mov     r4, r0
        adds    r4, #PW_REGISTERS
        str     r1, [r4, #PW_PC - PW_REGISTERS]
        ldr     r1, [r4, #PW_SAVED - PW_REGISTERS]
        subs    r1, #32
        mov     sp, r1
        str     r3, [r1, #0]
        ldr     r2, =leave
        str     r2, [r1, #24]
        movs    r2, #1
        lsls    r2, r2, #24
        str     r2, [r1, #28]
        /* EXC_RETURN: to thread mode, with a frame without floating point on the main stack. Its other
           bits, such as Armv8-M's security state, stay. */
        mov     r2, lr
        movs    r3, #0x1c
        orrs    r2, r3
        movs    r3, #0x04
        bics    r2, r3
        bx      r2
        .size   pw_device_fault, . - pw_device_fault
        .pool
