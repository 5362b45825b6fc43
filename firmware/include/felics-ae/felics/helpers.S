/*
 * The two macros by which assembly for FELICS-AE names what it defines: a table of constants, and a
 * function, each in a section of its own, so that the linker can drop unused ones.
 */
        .macro  rodata name
        .section .rodata.\name, "a"
\name:
        .endm

        .macro  function name
        .section .text.\name, "ax"
        .global \name
#ifdef __arm__
        .type   \name, %function
#else
        .type   \name, @function
#endif
\name:
        .endm
