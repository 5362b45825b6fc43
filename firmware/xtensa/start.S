/*
 * Xtensa start-up, call0 ABI: stack pointer, RAM, nothing else.
 *
 * The linker script aligns all bounds to 4. pw_ready is where the simulator stops and from where
 * it calls the functions to measure. Interrupts stay as reset leaves them: off.
 */
        .section .pw_start, "ax", @progbits
        .literal_position

        .global pw_reset
        .type   pw_reset, @function
        .align  4
pw_reset:
        movi    a1, pw_ram_end
        /* Copy initial values: a2 = to, a3 = end, a4 = from. */
        movi    a2, pw_data_start
        movi    a3, pw_data_end
        movi    a4, pw_data_load
        j       2f
1:      l32i    a5, a4, 0
        s32i    a5, a2, 0
        addi    a2, a2, 4
        addi    a4, a4, 4
2:      bltu    a2, a3, 1b
        /* Clear the rest: a2 = to, a3 = end. */
        movi    a2, pw_bss_start
        movi    a3, pw_bss_end
        movi    a5, 0
        j       4f
3:      s32i    a5, a2, 0
        addi    a2, a2, 4
4:      bltu    a2, a3, 3b
        call0   pw_ready
        .size   pw_reset, . - pw_reset

        .global pw_ready
        .type   pw_ready, @function
        .align  4
pw_ready:
        j       pw_ready
        .size   pw_ready, . - pw_ready
