/*
 * AVR: two functions that measure the counter's overhead. They are part of the monitor and of a
 * program that only the simulator runs, to count their own cycles.
 */
        .section .text.pw_device_functions, "ax", @progbits

        .global pw_device_empty
        .type   pw_device_empty, @function
pw_device_empty:
        ret
        .size   pw_device_empty, . - pw_device_empty

        /* r25:r24 rounds, at least one. */
        .global pw_device_loop
        .type   pw_device_loop, @function
pw_device_loop:
        sbiw    r24, 1
        brne    pw_device_loop
        ret
        .size   pw_device_loop, . - pw_device_loop
