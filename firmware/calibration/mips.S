/*
 * MIPS32: micro-benchmarks of the flash for `pennyweight calibrate`.
 *
 * A region of PW_REGION bytes ends where the function that repeats it begins. The caller chooses
 * where each round enters the region, and with it the size and alignment of the executed code.
 * Regions end at multiples of 256 bytes, the largest line of a board file.
 */
        .set    noreorder
        .set    nomips16

        .section .text.pw_calibration, "ax", @progbits

        .balign 256
        .global pw_region
pw_region:
        .rept   PW_REGION / 4
        addiu   $t0, $t0, 1
        .endr

        /* a0 rounds, a1 entry into the code above. */
        .global pw_straight
        .type   pw_straight, @function
pw_straight:
        addiu   $a0, $a0, -1
        bltz    $a0, 1f
        nop
        jr      $a1
        nop
1:      jr      $ra
        nop
        .size   pw_straight, . - pw_straight

        .balign 256
        .rept   PW_REGION / 8
        jr      $t1
        addu    $t1, $t1, $a2
        .endr

        /* a0 rounds, a1 entry, a2 distance between two branches: a chain of taken branches. */
        .global pw_jumps
        .type   pw_jumps, @function
pw_jumps:
        addiu   $a0, $a0, -1
        bltz    $a0, 1f
        addu    $t1, $a1, $a2
        jr      $a1
        nop
1:      jr      $ra
        nop
        .size   pw_jumps, . - pw_jumps

        .balign 256
pw_flush_region:
        .rept   PW_REGION / 8
        jr      $t1
        addu    $t1, $t1, $a2
        .endr
        beqz    $a0, 1f
        li      $a2, 64
        addu    $t1, $a1, $a2
        jr      $a1
        li      $a0, 0
1:      li      $a2, 32
2:      lw      $t2, 0($a1)
        addiu   $a1, $a1, 64
        addiu   $a2, $a2, -1
        bnez    $a2, 2b
        nop
        jr      $ra
        nop

        /* Fills buffers and caches with lines that no other function uses: branches 16 bytes apart,
           then 64 bytes apart (beyond any prefetch), then loads. */
        .global pw_flush
        .type   pw_flush, @function
pw_flush:
        la      $a1, pw_flush_region
        li      $a0, 1
        li      $a2, 16
        jr      $a1
        addu    $t1, $a1, $a2
        .size   pw_flush, . - pw_flush

        /* a0 rounds, a1 address, a2 distance between two words, a3 words in a round. */
        .balign 256
        .global pw_loads
        .type   pw_loads, @function
pw_loads:
        addiu   $a0, $a0, -1
        bltz    $a0, 3f
        move    $t0, $a1
        move    $t1, $a3
2:      lw      $t2, 0($t0)
        addu    $t0, $t0, $a2
        addiu   $t1, $t1, -1
        bnez    $t1, 2b
        nop
        b       pw_loads
        nop
3:      jr      $ra
        nop
        .size   pw_loads, . - pw_loads
