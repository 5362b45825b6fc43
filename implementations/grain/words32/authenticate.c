/*
 * Grain-128AEADv2's authenticator in 32-bit words.
 *
 * References: "Grain-128AEADv2" (2021), section 2.3 (see grain.h); ARMv6-M Architecture Reference
 * Manual (DDI 0419), ADCS.
 */
#include "state.h"

#if !GRAIN_NATIVE

#include "inline.h"

/* Shifts the 96 bits w2 || w1 || w0 left by one. Compilers do not use the carry. */
#if defined(__thumb__)
#define MOVE_LEFT()                                                                                \
    __asm__(".syntax unified\n\tadds %0, %0, %0\n\tadcs %1, %1, %1\n\tadcs %2, %2, %2"             \
            : "+l"(w0), "+l"(w1), "+l"(w2)                                                         \
            :                                                                                      \
            : "cc")
#else
#define MOVE_LEFT() (w2 = w2 << 1 | w1 >> 31, w1 = w1 << 1 | w0 >> 31, w0 <<= 1)
#endif

/* Makes the compiler finish one bit before the next: interleaving takes too many registers.
 * Clang supports no operands of four bytes on AVR. */
#if defined(__GNUC__) && !(defined(__clang__) && defined(__AVR__))
#define STEP_ENDS() __asm__ volatile("" : "+r"(m), "+r"(a0), "+r"(a1))
#else
#define STEP_ENDS()
#endif

/* With R and its next bits written as one string w, bit i of the message adds to A the 64 bits of w
 * that begin at bit i. This is done from the last bit of the message to the first. */
#define STEP()                                                                                     \
    do {                                                                                           \
        const uint32_t mask = (uint32_t)0 - (m >> 31);                                             \
        m <<= 1;                                                                                   \
        MOVE_LEFT();                                                                               \
        a0 ^= w1 & mask;                                                                           \
        a1 ^= w2 & mask;                                                                           \
        STEP_ENDS();                                                                               \
    } while (0)

void grain_authenticate(grain_authenticator *a, uint32_t m, uint32_t r)
{
    uint32_t a0 = a->a[0], a1 = a->a[1];
    uint32_t w0 = a->r[0], w1 = a->r[1], w2 = r;

    a->r[0] = w1;
    a->r[1] = w2;
    for (unsigned i = 8; i != 0; i--) {
        STEP();
        STEP();
        STEP();
        STEP();
    }
    a->a[0] = a0;
    a->a[1] = a1;
}

#endif
