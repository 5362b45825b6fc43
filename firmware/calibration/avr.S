/*
 * AVR: micro-benchmarks of the memories for `pennyweight calibrate`.
 *
 * A region of PW_REGION bytes ends where the function that repeats it begins. The caller chooses
 * where each round enters the region, and with it the size and alignment of the executed code. Code
 * addresses are word addresses.
 */
        .section .text.pw_calibration, "ax", @progbits

        .balign 256
        .global pw_region
pw_region:
        .rept   PW_REGION / 2
        inc     r18
        .endr

        /* r25:r24 rounds, r23:r22 entry into the code above. */
        .global pw_straight
        .type   pw_straight, @function
pw_straight:
        sbiw    r24, 1
        brmi    1f
        movw    r30, r22
        ijmp
1:      ret
        .size   pw_straight, . - pw_straight

        .balign 256
        .rept   PW_REGION / 6
        add     r30, r20
        adc     r31, r21
        ijmp
        .endr

        /* r25:r24 rounds, r23:r22 entry, r21:r20 distance between two branches in words: a chain of
           taken branches. */
        .global pw_jumps
        .type   pw_jumps, @function
pw_jumps:
        sbiw    r24, 1
        brmi    1f
        movw    r30, r22
        ijmp
1:      ret
        .size   pw_jumps, . - pw_jumps

        /* AVRs have no buffers or caches that could be filled. */
        .global pw_flush
        .type   pw_flush, @function
pw_flush:
        ret
        .size   pw_flush, . - pw_flush

        /* r25:r24 rounds, r23:r22 address, r21:r20 distance between two bytes, r19:r18 bytes in a
           round. */
        .global pw_loads
        .type   pw_loads, @function
pw_loads:
        sbiw    r24, 1
        brmi    3f
        movw    r26, r22
        movw    r30, r18
2:      ld      r0, X
        add     r26, r20
        adc     r27, r21
        sbiw    r30, 1
        brne    2b
        rjmp    pw_loads
3:      ret
        .size   pw_loads, . - pw_loads

        /* The same from flash. */
        .global pw_flash_loads
        .type   pw_flash_loads, @function
pw_flash_loads:
        sbiw    r24, 1
        brmi    3f
        movw    r30, r22
        movw    r26, r18
2:      lpm     r0, Z
        add     r30, r20
        adc     r31, r21
        sbiw    r26, 1
        brne    2b
        rjmp    pw_flash_loads
3:      ret
        .size   pw_flash_loads, . - pw_flash_loads
