/*
 * RISC-V: micro-benchmarks of the flash for `pennyweight calibrate`.
 *
 * A region of PW_REGION bytes ends where the function that repeats it begins. The caller chooses
 * where each round enters the region, and with it the size and alignment of the executed code.
 * Regions end at multiples of 256 bytes, the largest line of a board file.
 */
        .section .text.pw_calibration, "ax", @progbits
        .option norelax

        .balign 256
        .global pw_region
pw_region:
        .option push
        .option norvc
        .rept   PW_REGION / 4
        addi    t0, t0, 1
        .endr
        .option pop

        /* a0 rounds, a1 entry into the code above. */
        .global pw_straight
        .type   pw_straight, @function
pw_straight:
        addi    a0, a0, -1
        bltz    a0, 1f
        jr      a1
1:      ret
        .size   pw_straight, . - pw_straight

        .balign 256
        .option push
        .option rvc
        .rept   PW_REGION / 4
        c.add   t1, a2
        c.jr    t1
        .endr
        .option pop

        /* a0 rounds, a1 entry, a2 distance between two branches: a chain of taken branches. */
        .global pw_jumps
        .type   pw_jumps, @function
pw_jumps:
        addi    a0, a0, -1
        bltz    a0, 1f
        mv      t1, a1
        jr      t1
1:      ret
        .size   pw_jumps, . - pw_jumps

        .balign 256
        .option push
        .option rvc
pw_flush_region:
        .rept   PW_REGION / 4
        c.add   t1, a2
        c.jr    t1
        .endr
        .option pop
        li      a2, 32
1:      lw      t2, 0(a1)
        addi    a1, a1, 64
        addi    a2, a2, -1
        bnez    a2, 1b
        ret

        /* Fills the cache with lines that no other function uses; then loads. */
        .global pw_flush
        .type   pw_flush, @function
pw_flush:
        la      a1, pw_flush_region
        li      a2, 32
        mv      t1, a1
        jr      t1
        .size   pw_flush, . - pw_flush

        /* a0 rounds, a1 address, a2 distance between two words, a3 words in a round. */
        .balign 256
        .global pw_loads
        .type   pw_loads, @function
pw_loads:
        addi    a0, a0, -1
        bltz    a0, 3f
        mv      t0, a1
        mv      t1, a3
2:      lw      t2, 0(t0)
        add     t0, t0, a2
        addi    t1, t1, -1
        bnez    t1, 2b
        j       pw_loads
3:      ret
        .size   pw_loads, . - pw_loads
