/*
 * Cortex-M start-up: vector table, reset handler and nothing else. It uses ARMv6-M instructions
 * only, so that every Cortex-M can run it.
 *
 * Vector table: ARMv6-M Architecture Reference Manual (DDI 0419), section B1.5.3. All 32 external
 * interrupts of ARMv6-M have an entry, so that the code after the table is where it would be on
 * any of the parts. No interrupt is ever enabled.
 *
 * The linker script aligns all bounds to 4. At pw_ready the simulator stops;
 * it calls the functions to measure from there.
 */
        .syntax unified
        .cpu    cortex-m0
        .thumb

        .section .pw_vectors, "a", %progbits
        .global pw_vectors
pw_vectors:
        .word   pw_ram_end
        .word   pw_reset
        .rept   46
        .word   pw_fault
        .endr

        .section .pw_start, "ax", %progbits

        .thumb_func
        .global pw_reset
        .type   pw_reset, %function
pw_reset:
        /* Copy initial values: r0 = to, r1 = end, r2 = from. */
        ldr     r0, =pw_data_start
        ldr     r1, =pw_data_end
        ldr     r2, =pw_data_load
        b       2f
1:      ldm     r2!, {r3}
        stm     r0!, {r3}
2:      cmp     r0, r1
        blo     1b
        /* Clear the other data: r0 = to, r1 = end. */
        ldr     r0, =pw_bss_start
        ldr     r1, =pw_bss_end
        movs    r3, #0
        b       4f
3:      stm     r0!, {r3}
4:      cmp     r0, r1
        blo     3b
        bl      pw_ready
        .size   pw_reset, . - pw_reset

        .thumb_func
        .global pw_ready
        .type   pw_ready, %function
pw_ready:
        b       pw_ready
        .size   pw_ready, . - pw_ready

        .thumb_func
        .global pw_fault
        .type   pw_fault, %function
pw_fault:
        b       pw_fault
        .size   pw_fault, . - pw_fault
        .pool

        /* newlib's malloc calls this for r0 more bytes: returns their address, or (void *)-1 if none
           are left. The host sets both bounds before each call. The linker removes it from programs
           that do not call malloc. */
        .section .text._sbrk, "ax", %progbits
        .thumb_func
        .global _sbrk
        .type   _sbrk, %function
_sbrk:
        ldr     r1, =pw_heap_now
        ldr     r2, [r1]
        adds    r0, r0, r2
        ldr     r3, =pw_heap_end
        ldr     r3, [r3]
        cmp     r0, r3
        bhi     1f
        str     r0, [r1]
        movs    r0, r2
        bx      lr
1:      movs    r0, #1
        rsbs    r0, r0, #0
        bx      lr
        .pool
        .size   _sbrk, . - _sbrk

        .section .bss.pw_heap, "aw", %nobits
        .balign 4
        .global pw_heap_now
        .global pw_heap_end
pw_heap_now:
        .space  4
pw_heap_end:
        .space  4
