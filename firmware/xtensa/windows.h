/*
 * Handlers of window overflow and underflow, and of MOVSP when the caller's registers are on the
 * stack. A callee's stack pointer is register 1, 4, 8 or 12 above: a5, a9, a13. The first four
 * registers go below it, the others to the top of the frame, which the caller's caller's stack
 * pointer tells.
 *
 * References: ISA reference manual, 4.7.1.3 (exceptions), 8.1.4 (stack frames); offsets of the
 * vectors: the ESP32's.
 */
#define PS_UM (1 << 5)
#define PS_WOE (1 << 18)
#define CAUSE_ALLOCA 5

        .section .pw_vectors, "ax", @progbits
        .align  1024
        .global pw_vectors
pw_vectors:
        /* 0x00: overflow of 4 */
        s32e    a0, a5, -16
        s32e    a1, a5, -12
        s32e    a2, a5, -8
        s32e    a3, a5, -4
        rfwo

        .org    0x40
underflow4:
        l32e    a0, a5, -16
        l32e    a1, a5, -12
        l32e    a2, a5, -8
        l32e    a3, a5, -4
        rfwu

        /* overflow of 8 */
        .org    0x80
        s32e    a0, a9, -16
        l32e    a0, a1, -12
        s32e    a1, a9, -12
        s32e    a2, a9, -8
        s32e    a3, a9, -4
        s32e    a4, a0, -32
        s32e    a5, a0, -28
        s32e    a6, a0, -24
        s32e    a7, a0, -20
        rfwo

        .org    0xc0
underflow8:
        l32e    a0, a9, -16
        l32e    a1, a9, -12
        l32e    a2, a9, -8
        l32e    a7, a1, -12
        l32e    a3, a9, -4
        l32e    a4, a7, -32
        l32e    a5, a7, -28
        l32e    a6, a7, -24
        l32e    a7, a7, -20
        rfwu

        /* overflow of 12 */
        .org    0x100
        s32e    a0, a13, -16
        l32e    a0, a1, -12
        s32e    a1, a13, -12
        s32e    a2, a13, -8
        s32e    a3, a13, -4
        s32e    a4, a0, -48
        s32e    a5, a0, -44
        s32e    a6, a0, -40
        s32e    a7, a0, -36
        s32e    a8, a0, -32
        s32e    a9, a0, -28
        s32e    a10, a0, -24
        s32e    a11, a0, -20
        rfwo

        .org    0x140
underflow12:
        l32e    a0, a13, -16
        l32e    a1, a13, -12
        l32e    a2, a13, -8
        l32e    a11, a1, -12
        l32e    a3, a13, -4
        l32e    a4, a11, -48
        l32e    a5, a11, -44
        l32e    a6, a11, -40
        l32e    a7, a11, -36
        l32e    a8, a11, -32
        l32e    a9, a11, -28
        l32e    a10, a11, -24
        l32e    a11, a11, -20
        rfwu

        /* Exceptions of user code: MOVSP; any other ends in a loop. */
        .org    0x340
        wsr     a0, EXCSAVE1
        rsr     a0, EXCCAUSE
        beqi    a0, CAUSE_ALLOCA, alloca
other:  j       other
        /*
         * Back to the caller's window by underflow, as if it returned, and to MOVSP again. The
         * registers below the window are free; how far the caller is, a0 says as in a return.
         */
alloca: rsr     a0, EXCSAVE1
        rotw    -1
        rsr     a2, PS
        rsr     a0, WINDOWBASE
        addi    a0, a0, 1
        extui   a3, a2, 8, 4
        xor     a3, a3, a0
        slli    a3, a3, 8
        xor     a2, a2, a3
        wsr     a2, PS
        rsync
        bbsi    a4, 31, 1f
        j       underflow4
1:      rotw    -1
        bbsi    a8, 30, 2f
        j       underflow8
2:      rotw    -1
        j       underflow12
