/*
 * PHOTON-256 in the registers of an AVR.
 *
 * References: "PHOTON-Beetle" (2021), chapter 2 (see photon256.h), names as there; AVR
 * Instruction Set Manual (DS40002198).
 *
 * A byte is a slice of a row: bit p of its eight cells. Rows 0 to 5 stay in r2 to r25, rows 6 and 7
 * in memory. r1 is the round constant, of which only the lower four bits count; r26 to r29 and r0
 * are for what is being made. Compilers keep little in registers here: a round takes them 1,250
 * cycles, and this one takes 950.
 */
#include "photon256.h"

#if defined(__AVR__)

#include "macros.h"

/* clang-format off */

void photon256_permute(photon256_state *x)
{
    __asm__ volatile(
        DEFINE_MACROS
        "push r28\n\t"
        "push r29\n\t"
        "load_ 2, 0\n\t"
        "load_ 6, 1\n\t"
        "load_ 10, 2\n\t"
        "load_ 14, 3\n\t"
        "load_ 18, 4\n\t"
        "load_ 22, 5\n\t"
        "clr r1\n\t"
        "inc r1\n"
        "1:\n\t"
        "row_ 2, 3, 4, 5, 0, 0\n\t"
        "row_ 6, 7, 8, 9, 1, 1\n\t"
        "row_ 10, 11, 12, 13, 2, 3\n\t"
        "row_ 14, 15, 16, 17, 3, 7\n\t"
        "row_ 18, 19, 20, 21, 4, 15\n\t"
        "row_ 22, 23, 24, 25, 5, 14\n\t"
        "store_ 22, 5\n\t"
        "load_ 22, 6\n\t"
        "row_ 22, 23, 24, 25, 6, 12\n\t"
        "store_ 22, 6\n\t"
        "load_ 22, 7\n\t"
        "row_ 22, 23, 24, 25, 7, 8\n\t"
        "store_ 22, 7\n\t"
        "load_ 22, 5\n\t"
        "step_ 0, 1, 2, 3, 4, 5, 6, 7\n\t"
        "step_ 1, 2, 3, 4, 5, 6, 7, 0\n\t"
        "step_ 2, 3, 4, 5, 6, 7, 0, 1\n\t"
        "step_ 3, 4, 5, 6, 7, 0, 1, 2\n\t"
        "step_ 4, 5, 6, 7, 0, 1, 2, 3\n\t"
        "step_ 5, 6, 7, 0, 1, 2, 3, 4\n\t"
        "step_ 6, 7, 0, 1, 2, 3, 4, 5\n\t"
        "step_ 7, 0, 1, 2, 3, 4, 5, 6\n\t"
        /* The next constant: what comes in below is the complement of the upper two bits' sum.
         * After the last one it would be 4. */
        "mov r26, r1\n\t"
        "lsr r26\n\t"
        "eor r26, r1\n\t"
        "com r26\n\t"
        "bst r26, 2\n\t"
        "lsl r1\n\t"
        "bld r1, 0\n\t"
        "mov r26, r1\n\t"
        "andi r26, 15\n\t"
        "cpi r26, 4\n\t"
        "breq 2f\n\t"
        "rjmp 1b\n"
        "2:\n\t"
        "store_ 2, 0\n\t"
        "store_ 6, 1\n\t"
        "store_ 10, 2\n\t"
        "store_ 14, 3\n\t"
        "store_ 18, 4\n\t"
        "store_ 22, 5\n\t"
        "pop r29\n\t"
        "pop r28\n\t"
        "clr r1\n\t"
        FORGET_MACROS
        :
        : "z"(x)
        : "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
          "r16", "r17", "r18", "r19", "r20", "r21", "r22", "r23", "r24", "r25", "r26", "r27",
          "memory");
}

/* clang-format on */

#else

#include "../words32/permute.c"

#endif
