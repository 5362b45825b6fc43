/*
 * Grain-128AEADv2's authenticator in the registers of an AVR.
 *
 * References: "Grain-128AEADv2" (2021), section 2.3 (see grain.h); AVR Instruction Set Manual
 * (DS40002198): SBRC, which takes two cycles with the instruction that it may skip, in either case.
 */
#include "state.h"

#if defined(__AVR__) && !defined(__clang__)

/* A += R if bit i of the message is 1; R, in r10 to r17, shifts by one bit. */
#define ADD_BYTE(i, a, r) "sbrc %A[m]," #i "\n\teor " #a "," #r "\n\t"
#define STEP(i)                                                                                    \
    ADD_BYTE(i, 2, 10)                                                                             \
    ADD_BYTE(i, 3, 11)                                                                             \
    ADD_BYTE(i, 4, 12)                                                                             \
    ADD_BYTE(i, 5, 13)                                                                             \
    ADD_BYTE(i, 6, 14)                                                                             \
    ADD_BYTE(i, 7, 15)                                                                             \
    ADD_BYTE(i, 8, 16)                                                                             \
    ADD_BYTE(i, 9, 17)                                                                             \
    "lsr %A[r]\n\tror 17\n\tror 16\n\tror 15\n\tror 14\n\t"                                        \
    "ror 13\n\tror 12\n\tror 11\n\tror 10\n\t"

void grain_authenticate(grain_authenticator *a, uint32_t m, uint32_t r)
{
    /* The rest of r2 to r27. */
    register uint32_t m_left __asm__("r22") = m;
    register uint32_t r_left __asm__("r18") = r;
    register uint8_t bytes __asm__("r26") = 4;

    /* clang-format off */
    __asm__ volatile(
        "ldd 2,Z+0\n\tldd 3,Z+1\n\tldd 4,Z+2\n\tldd 5,Z+3\n\t"
        "ldd 6,Z+4\n\tldd 7,Z+5\n\tldd 8,Z+6\n\tldd 9,Z+7\n\t"
        "ldd 10,Z+8\n\tldd 11,Z+9\n\tldd 12,Z+10\n\tldd 13,Z+11\n\t"
        "ldd 14,Z+12\n\tldd 15,Z+13\n\tldd 16,Z+14\n\tldd 17,Z+15\n\t"
        "1:\n\t"
        STEP(0) STEP(1) STEP(2) STEP(3) STEP(4) STEP(5) STEP(6) STEP(7)
        "mov %A[m],%B[m]\n\tmov %B[m],%C[m]\n\tmov %C[m],%D[m]\n\t"
        "mov %A[r],%B[r]\n\tmov %B[r],%C[r]\n\tmov %C[r],%D[r]\n\t"
        "dec %[bytes]\n\t"
        "breq 2f\n\t"
        "rjmp 1b\n\t"
        "2:\n\t"
        "std Z+0,2\n\tstd Z+1,3\n\tstd Z+2,4\n\tstd Z+3,5\n\t"
        "std Z+4,6\n\tstd Z+5,7\n\tstd Z+6,8\n\tstd Z+7,9\n\t"
        "std Z+8,10\n\tstd Z+9,11\n\tstd Z+10,12\n\tstd Z+11,13\n\t"
        "std Z+12,14\n\tstd Z+13,15\n\tstd Z+14,16\n\tstd Z+15,17"
        : [m] "+r"(m_left), [r] "+r"(r_left), [bytes] "+r"(bytes)
        : "z"(a)
        : "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
          "r16", "r17", "memory");
    /* clang-format on */
}

#else

#include "../words32/authenticate.c"

#endif
