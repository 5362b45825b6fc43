/*
 * Cortex-M: two functions that measure the counter's overhead. They are part of the monitor and of
 * a program that only the simulator runs, to count their own cycles. ARMv6-M instructions only.
 */
        .syntax unified
        .thumb

        .section .text.pw_device_functions, "ax", %progbits
        .balign 16

        .global pw_device_empty
        .type   pw_device_empty, %function
        .thumb_func
pw_device_empty:
        bx      lr
        .size   pw_device_empty, . - pw_device_empty

        /* r0 rounds, at least one. */
        .balign 16
        .global pw_device_loop
        .type   pw_device_loop, %function
        .thumb_func
pw_device_loop:
        subs    r0, #1
        bne     pw_device_loop
        bx      lr
        .size   pw_device_loop, . - pw_device_loop
