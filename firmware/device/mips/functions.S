/*
 * MIPS: two functions that measure the counter's overhead. They are part of the monitor and of a
 * program that only the simulator runs, to count their own cycles.
 */
        .set    noreorder
        .set    nomips16

        .section .text.pw_device_functions, "ax", @progbits
        .balign 16

        .global pw_device_empty
        .type   pw_device_empty, @function
pw_device_empty:
        jr      $ra
        nop
        .size   pw_device_empty, . - pw_device_empty

        /* a0 rounds, at least one. */
        .balign 16
        .global pw_device_loop
        .type   pw_device_loop, @function
pw_device_loop:
        addiu   $a0, $a0, -1
        bnez    $a0, pw_device_loop
        nop
        jr      $ra
        nop
        .size   pw_device_loop, . - pw_device_loop
