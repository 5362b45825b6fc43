/*
 * Xtensa: two functions that measure the counter's overhead. They are part of the monitor and of a
 * program that only the simulator runs, to count their own cycles. CALL0 ABI.
 */
        .section .text.pw_device_functions, "ax", @progbits
        .align  4

        .global pw_device_empty
        .type   pw_device_empty, @function
pw_device_empty:
        ret.n
        .size   pw_device_empty, . - pw_device_empty

        /* a2 rounds, at least one. */
        .align  4
        .global pw_device_loop
        .type   pw_device_loop, @function
pw_device_loop:
        addi    a2, a2, -1
        bnez    a2, pw_device_loop
        ret.n
        .size   pw_device_loop, . - pw_device_loop
