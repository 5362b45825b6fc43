/* Frames have room for the twelve registers that the handlers save, and one word more. int sum4(int
   n), sum8, sum12: n + (n - 1) + … + 1, each by calling itself. Every third level moves its stack
   pointer, as a function with an array of unknown size does. */
        .text
        .macro  sum name, call, argument, down
        .global \name
        .type   \name, @function
        .align  4
\name:  entry   a1, 64
        beqz    a2, 1f
        movi    a3, 3
2:      bltu    a3, a2, 3f
        bne     a3, a2, 4f
        addi    a3, a1, -32
        movsp   a1, a3
        j       4f
3:      addi    a3, a3, 3
        j       2b
4:      addi    \argument, a2, -1
        s32i    a2, a1, 0
        movi    a3, \name
        \call   a3
        l32i    a3, a1, 0
        add     a2, \argument, a3
1:      retw
        .endm
        sum     sum4, callx4, a6, 0
        sum     sum8, callx8, a10, 0
        sum     sum12, callx12, a14, 0
