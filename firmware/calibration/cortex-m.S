/*
 * Cortex-M: micro-benchmarks of the flash for `pennyweight calibrate`. ARMv6-M instructions, except
 * for `pw_straight_wide`.
 *
 * A region of PW_REGION bytes ends where the function that repeats it begins. The caller chooses
 * where each round enters the region, and with it the size and alignment of the executed code.
 * Regions end at multiples of 256 bytes, the largest line of a board file.
 */
        .syntax unified
        .thumb

        .section .text.pw_calibration, "ax", %progbits

        .balign 256
        .global pw_region
pw_region:
        .rept   PW_REGION / 2
        adds    r3, #1
        .endr

        /* r0 rounds, r1 entry into the code above. */
        .global pw_straight
        .type   pw_straight, %function
        .thumb_func
pw_straight:
        subs    r0, #1
        bmi     1f
        bx      r1
1:      bx      lr
        .size   pw_straight, . - pw_straight

#ifdef __thumb2__
        .balign 256
        .rept   PW_REGION / 4
        add.w   r3, r3, #1
        .endr

        /* The same with four-byte instructions: the core needs twice as many bytes per cycle. */
        .global pw_straight_wide
        .type   pw_straight_wide, %function
        .thumb_func
pw_straight_wide:
        subs    r0, #1
        bmi     1f
        bx      r1
1:      bx      lr
        .size   pw_straight_wide, . - pw_straight_wide
#endif

        .balign 256
        .rept   PW_REGION / 2
        add     pc, r2
        .endr

        /* r0 rounds, r1 entry, r2 distance between two branches less 4: a chain of taken branches. */
        .global pw_jumps
        .type   pw_jumps, %function
        .thumb_func
pw_jumps:
        subs    r0, #1
        bmi     1f
        bx      r1
1:      bx      lr
        .size   pw_jumps, . - pw_jumps

        .balign 256
        .rept   PW_MIXED
        .rept   6
        ldr     r3, [r2]
        .endr
#ifdef __thumb2__
        .rept   6
        add.w   r3, r3, #1
        .endr
#else
        .rept   12
        adds    r3, #1
        .endr
#endif
        .endr

        /* r0 rounds, r1 entry, r2 a word to read: slow instructions, during which a buffer fills,
           and fast ones, which empty it. */
        .global pw_mixed
        .type   pw_mixed, %function
        .thumb_func
pw_mixed:
        subs    r0, #1
        bmi     1f
        bx      r1
1:      bx      lr
        .size   pw_mixed, . - pw_mixed

        .balign 256
        .rept   PW_HOPS
        .rept   16
        ldr     r3, [r2]
        .endr
        add     pc, r12
        .rept   45
        cmp     r3, r3
        .endr
        .endr

        .global pw_hops_end
        .thumb_func
pw_hops_end:
1:      subs    r0, #1
        bmi     2f
        bx      r1
2:      bx      lr

        /* r0 rounds, r1 entry, r2 a word to read, r3 length of a branch less 4: slow instructions,
           and a branch over part of the code that was prefetched meanwhile. */
        .global pw_hops
        .type   pw_hops, %function
        .thumb_func
pw_hops:
        mov     r12, r3
        b       1b
        .size   pw_hops, . - pw_hops

        .balign 256
pw_flush_region:
        .rept   PW_REGION / 2
        add     pc, r2
        .endr
        subs    r0, #1
        beq     1f
        movs    r2, #60
        bx      r1
1:      subs    r1, #1
        movs    r0, #32
2:      ldr     r3, [r1]
        adds    r1, #64
        subs    r0, #1
        bne     2b
        bx      lr

        /* Fills buffers and caches with lines that no other function uses: branches 8 bytes apart,
           then 64 bytes apart (beyond any prefetch), then loads. */
        .global pw_flush
        .type   pw_flush, %function
        .thumb_func
pw_flush:
        ldr     r1, =pw_flush_region + 1
        movs    r0, #2
        movs    r2, #4
        bx      r1
        .size   pw_flush, . - pw_flush
        .pool

        /* r0 rounds, r1 address, r2 distance between two words, r3 words in a round. */
        .balign 256
        .global pw_loads
        .type   pw_loads, %function
        .thumb_func
pw_loads:
        push    {r4-r6, lr}
1:      subs    r0, #1
        bmi     3f
        mov     r4, r1
        mov     r5, r3
2:      ldr     r6, [r4]
        adds    r4, r4, r2
        subs    r5, #1
        bne     2b
        b       1b
3:      pop     {r4-r6, pc}
        .size   pw_loads, . - pw_loads

        /* The same with pairs of adjacent words. */
        .balign 256
        .global pw_load_pairs
        .type   pw_load_pairs, %function
        .thumb_func
pw_load_pairs:
        push    {r4-r6, lr}
1:      subs    r0, #1
        bmi     3f
        mov     r4, r1
        mov     r5, r3
2:      ldr     r6, [r4]
        ldr     r6, [r4, #4]
        adds    r4, r4, r2
        subs    r5, #1
        bne     2b
        b       1b
3:      pop     {r4-r6, pc}
        .size   pw_load_pairs, . - pw_load_pairs
