/*
 * MIPS start-up: stack pointer, RAM and nothing else.
 *
 * The linker script aligns all bounds to 4. At pw_ready the simulator stops;
 * it calls the functions to measure from there. The part's boot loader sets wait states, cache and
 * prefetch (the chipKIT's sets them as in the board file). Interrupts are off after reset and stay off.
 */
        .section .pw_start, "ax", @progbits
        .set    noreorder
        .set    nomips16

        .global pw_reset
        .type   pw_reset, @function
        .ent    pw_reset
pw_reset:
        la      $sp, pw_ram_end
        /* Copy initial values: t0 = to, t1 = end, t2 = from. */
        la      $t0, pw_data_start
        la      $t1, pw_data_end
        la      $t2, pw_data_load
        b       2f
        nop
1:      lw      $t3, 0($t2)
        addiu   $t0, $t0, 4
        sw      $t3, -4($t0)
        addiu   $t2, $t2, 4
2:      sltu    $t4, $t0, $t1
        bnez    $t4, 1b
        nop
        /* Clear the other data: t0 = to, t1 = end. */
        la      $t0, pw_bss_start
        la      $t1, pw_bss_end
        b       4f
        nop
3:      addiu   $t0, $t0, 4
        sw      $zero, -4($t0)
4:      sltu    $t4, $t0, $t1
        bnez    $t4, 3b
        nop
        jal     pw_ready
        nop
        .end    pw_reset
        .size   pw_reset, . - pw_reset

        .global pw_ready
        .type   pw_ready, @function
        .ent    pw_ready
pw_ready:
        b       pw_ready
        nop
        .end    pw_ready
        .size   pw_ready, . - pw_ready
