/*
 * A quarter of SipRound, on words in memory: a sum, a rotation and an XOR.
 *
 * References: J.-P. Aumasson, D. J. Bernstein, "SipHash: a fast short-input PRF", INDOCRYPT 2012,
 * section 2. AVR Instruction Set Manual (DS40002198): LD with increment and decrement, ADC;
 * MSP430x1xx Family User's Guide (SLAU049), section 3.4: ADD, ADDC.
 *
 * The four rotations, by 13, 16, 17 and 21 bits, are a rotation by 16, which only changes where
 * bytes are written, and one by a few bits: a loop of one-bit rotations on cores without
 * others.
 */
#ifndef PENNYWEIGHT_SIPHASH_MIX_H
#define PENNYWEIGHT_SIPHASH_MIX_H

#include <stdint.h>

#include "inline.h"
#include "mac_state.h"

#if defined(__AVR__) && !defined(__clang__)

#include "word64.h"

/* x += y, y <<<= 16 + n, y ^= x, for a public number -16 < n < 16. */
NEVER_INLINE void mix(sip_word *x, sip_word *y, int8_t n)
{
    uint8_t *sum = x->byte;
    word w = load_word(y->byte);

    __asm__("ld r0, X\n\tadd r0, %1\n\tst X+, r0\n\tld r0, X\n\tadc r0, %2\n\tst X+, r0\n\t"
            "ld r0, X\n\tadc r0, %3\n\tst X+, r0\n\tld r0, X\n\tadc r0, %4\n\tst X+, r0\n\t"
            "ld r0, X\n\tadc r0, %5\n\tst X+, r0\n\tld r0, X\n\tadc r0, %6\n\tst X+, r0\n\t"
            "ld r0, X\n\tadc r0, %7\n\tst X+, r0\n\tld r0, X\n\tadc r0, %8\n\tst X+, r0"
            : "+x"(sum), ALL_BYTES(&w)
            :
            : "r0", "memory");
    for (; n > 0; n--) {
        rotate_left_by_1(&w);
    }
    for (; n < 0; n++) {
        rotate_right_by_1(&w);
    }
    __asm__("ld r0, -X\n\teor %6, r0\n\tld r0, -X\n\teor %5, r0\n\t"
            "ld r0, -X\n\teor %4, r0\n\tld r0, -X\n\teor %3, r0\n\t"
            "ld r0, -X\n\teor %2, r0\n\tld r0, -X\n\teor %1, r0\n\t"
            "ld r0, -X\n\teor %8, r0\n\tld r0, -X\n\teor %7, r0"
            : "+x"(sum), ALL_BYTES(&w)
            :
            : "r0", "memory");
    y->byte[0] = w.b[6];
    y->byte[1] = w.b[7];
    y->byte[2] = w.b[0];
    y->byte[3] = w.b[1];
    y->byte[4] = w.b[2];
    y->byte[5] = w.b[3];
    y->byte[6] = w.b[4];
    y->byte[7] = w.b[5];
}

#elif defined(__MSP430__) && defined(__GNUC__) && !defined(__clang__)

#include "rotate64.h"

/* The same. R2 is the status register. */
NEVER_INLINE void mix(sip_word *x, sip_word *y, int8_t n)
{
    rotate64_parts w = {y->whole};

    __asm__("add %1, 0(%0)\n\taddc %2, 2(%0)\n\taddc %3, 4(%0)\n\taddc %4, 6(%0)"
            :
            : "r"(x), "r"(w.part[0]), "r"(w.part[1]), "r"(w.part[2]), "r"(w.part[3])
            : "R2", "memory");
    for (; n > 0; n--) {
        rotl64_by_1(&w);
    }
    for (; n < 0; n++) {
        rotr64_by_1(&w);
    }
    y->part[0] = x->part[0] ^ w.part[3];
    y->part[1] = x->part[1] ^ w.part[0];
    y->part[2] = x->part[2] ^ w.part[1];
    y->part[3] = x->part[3] ^ w.part[2];
}

#else

#include "add64.h"

/* The same. */
NEVER_INLINE void mix(sip_word *x, sip_word *y, int8_t n)
{
    const uint32_t low = (uint32_t)y->whole, high = (uint32_t)(y->whole >> 32);
    const uint8_t left = (uint8_t)(16 + n), right = (uint8_t)(16 - n);

    x->whole = add64(x->whole, y->whole);
    y->whole =
        x->whole ^ ((uint64_t)(high << left | low >> right) << 32 | (low << left | high >> right));
}

#endif
#endif
