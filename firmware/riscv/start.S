/*
 * RISC-V start-up: registers, RAM and nothing else. RV32I instructions only.
 *
 * The linker script aligns all bounds to 4. At pw_ready the simulator stops;
 * it calls the functions to measure from there. Interrupts are off after reset and stay off; mtvec is set so
 * that an exception ends in a loop (RISC-V Privileged Architecture, "mtvec").
 */
        .section .pw_start, "ax", @progbits
        .option norvc

        .global pw_reset
        .type   pw_reset, @function
pw_reset:
        .option push
        .option norelax
        la      gp, __global_pointer$
        .option pop
        la      sp, pw_ram_end
        la      t0, pw_fault
        .option arch, +zicsr
        csrw    mtvec, t0
        /* Copy initial values: t0 = to, t1 = end, t2 = from. */
        la      t0, pw_data_start
        la      t1, pw_data_end
        la      t2, pw_data_load
        j       2f
1:      lw      a0, 0(t2)
        sw      a0, 0(t0)
        addi    t0, t0, 4
        addi    t2, t2, 4
2:      bltu    t0, t1, 1b
        /* Clear the other data: t0 = to, t1 = end. */
        la      t0, pw_bss_start
        la      t1, pw_bss_end
        j       4f
3:      sw      zero, 0(t0)
        addi    t0, t0, 4
4:      bltu    t0, t1, 3b
        call    pw_ready
        .size   pw_reset, . - pw_reset

        .global pw_ready
        .type   pw_ready, @function
pw_ready:
        j       pw_ready
        .size   pw_ready, . - pw_ready

        .global pw_fault
        .type   pw_fault, @function
        .balign 4
pw_fault:
        j       pw_fault
        .size   pw_fault, . - pw_fault
