/*
 * Xtensa start-up: processor state, stack pointer, RAM and nothing else.
 *
 * The linker script aligns all bounds to 4. At pw_ready the simulator stops;
 * it calls the functions to measure from there. Interrupts stay as reset leaves them: off.
 *
 * For the windowed ABI, this file enables windows and contains the handlers of their exceptions. The
 * ISA reference manual (8.1.4) prescribes what they do to the stack, and so their instructions except
 * for the order of the loads.
 */
#ifdef __XTENSA_WINDOWED_ABI__
#include "windows.inc"
#endif

        .section .pw_start, "ax", @progbits
        .literal_position

        .global pw_reset
        .type   pw_reset, @function
        .align  4
pw_reset:
#ifdef __XTENSA_WINDOWED_ABI__
        movi    a2, 0
        wsr     a2, WINDOWBASE
        rsync
        movi    a2, 1
        wsr     a2, WINDOWSTART
        movi    a2, pw_vectors
        wsr     a2, VECBASE
        movi    a2, PS_WOE | PS_UM
        wsr     a2, PS
        rsync
        /* The first frame: its other registers are above it, its caller's stack pointer below it. */
        movi    a2, pw_ram_end
        addi    a1, a2, -32
        addi    a3, a1, -16
        s32i    a2, a3, 4
#else
        movi    a1, pw_ram_end
#endif
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
        /* Clear the other data: a2 = to, a3 = end. */
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
