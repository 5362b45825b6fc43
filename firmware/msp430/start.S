/*
 * MSP430 start-up: reset handler, vectors and nothing else.
 *
 * Reset and vectors: MSP430x1xx Family User's Guide (SLAU049), sections 2.2 and 2.2.4; the watchdog
 * runs after reset and is stopped as section 10.3 says (WDTPW + WDTHOLD). No interrupt is ever enabled.
 * MSP430X parts are the same, but for the watchdog's address (SLASE54, "WDT_A Registers").
 *
 * The linker script aligns all bounds to 2. At pw_ready the simulator stops;
 * it calls the functions to measure from there.
 */
#ifdef __MSP430X__
        .equ    pw_watchdog, 0x015c
#else
        .equ    pw_watchdog, 0x0120
#endif

        .section .pw_start, "ax", %progbits

        .global pw_reset
        .type   pw_reset, %function
pw_reset:
        mov     #pw_ram_end, r1
        mov     #0x5a80, &pw_watchdog
        /* Copy initial values: r12 = to, r13 = from. */
        mov     #pw_data_start, r12
        mov     #pw_data_load, r13
        jmp     2f
1:      mov     @r13+, 0(r12)
        incd    r12
2:      cmp     #pw_data_end, r12
        jlo     1b
        /* Clear the other data: r12 = to. */
        mov     #pw_bss_start, r12
        jmp     4f
3:      mov     #0, 0(r12)
        incd    r12
4:      cmp     #pw_bss_end, r12
        jlo     3b
        call    #pw_ready
        .size   pw_reset, . - pw_reset

        .global pw_ready
        .type   pw_ready, %function
pw_ready:
        jmp     pw_ready
        .size   pw_ready, . - pw_ready

        .global pw_fault
        .type   pw_fault, %function
pw_fault:
        jmp     pw_fault
        .size   pw_fault, . - pw_fault

        /* The compiler refers to these functions of a C library's start-up code if a program has data to
           copy or to clear, which the code above has done. */
        .global __crt0_init_bss
        .global __crt0_movedata
        .set    __crt0_init_bss, pw_reset
        .set    __crt0_movedata, pw_reset

        .section .pw_vectors, "a", %progbits
        .global pw_vectors
pw_vectors:
        .rept   15
        .word   pw_fault
        .endr
        .word   pw_reset
