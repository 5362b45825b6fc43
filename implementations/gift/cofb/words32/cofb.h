/*
 * The feedback and the offsets of COFB on words of 32 bits.
 *
 * References: S. Banik et al., "GIFT-COFB v1.1" (2021), chapter 2; same names.
 */
#ifndef PENNYWEIGHT_COFB_H
#define PENNYWEIGHT_COFB_H

#include <stddef.h>
#include <stdint.h>

#include "direction.h"
#include "gift128.h"
#include "inline.h"
#include "unit.h"
#include "unroll.h"

/* L, an element of GF(2^64) = GF(2)[x] / (x^64 + x^4 + x^3 + x + 1); the upper bits of `high` are
 * its first byte. */
typedef struct {
    uint32_t high, low;
} cofb_offset;

/* L = the first half of Y. */
static inline void cofb_offset_set(cofb_offset *l, const gift128_state *y)
{
    l->high = y->s[0];
    l->low = y->s[1];
}

/* L = 2 L. */
static inline void cofb_offset_double(cofb_offset *l)
{
    const uint32_t carry = (uint32_t)-(l->high >> 31) & 0x1b;

    l->high = l->high << 1 | l->low >> 31;
    l->low = l->low << 1 ^ carry;
}

/* L = 3 L. */
static inline void cofb_offset_triple(cofb_offset *l)
{
    const cofb_offset old = *l;

    cofb_offset_double(l);
    l->high ^= old.high;
    l->low ^= old.low;
}

/* Y += L || 0. */
static inline void cofb_offset_add(gift128_state *y, const cofb_offset *l)
{
    y->s[0] ^= l->high;
    y->s[1] ^= l->low;
}

/* A block of less than 16 bytes: the output is Y + input; `block`, initially zero, becomes the
 * padded plaintext. */
static inline void cofb_pad(uint8_t block[16], const gift128_state *y, uint8_t *output,
                            const uint8_t *input, uint8_t length, uint8_t direction)
{
    uint8_t sum[16];

    block[length] = 0x80;
    if (direction == COFB_ABSORB) {
        copy_bytes(block, input, length);
        return;
    }
    gift128_store(sum, y);
    for (uint8_t i = 0; i < length; i++) {
        const uint8_t in = input[i];

        sum[i] ^= in;
        output[i] = sum[i];
        block[i] = direction == COFB_DECRYPT ? sum[i] : in;
    }
}

/* Takes a whole block: `m` is the plaintext. If `aligned`, is_aligned32 holds for input and output.
 */
ALWAYS_INLINE void cofb_block(uint32_t m[4], const gift128_state *y, uint8_t *output,
                              const uint8_t *input, uint8_t direction, int aligned)
{
    const uint32_t mask = direction == COFB_DECRYPT ? UINT32_C(0xffffffff) : 0;

    UNROLL
    for (unsigned i = 0; i < 4; i++) {
        m[i] = big_endian32(load_unit_if(input + 4 * i, aligned));
        if (direction != COFB_ABSORB) {
            store_unit_if(output + 4 * i, big_endian32(m[i] ^ y->s[i]), aligned);
            m[i] ^= y->s[i] & mask;
        }
    }
}

/* The output is the sum of Y and `length` bytes of input, at most 16; Y = G(Y) + the plaintext,
 * padded. G exchanges the halves of Y and rotates the original first half by one bit. */
static inline void cofb_take(gift128_state *y, uint8_t *output, const uint8_t *input,
                             uint8_t length, uint8_t direction)
{
    const uint32_t s0 = y->s[0], s1 = y->s[1];
    uint32_t m[4];

    if (length != 16) {
        uint32_t padded[4];

        UNROLL /* smaller than a call of memset */
            for (unsigned i = 0; i < 4; i++)
        {
            padded[i] = 0;
        }
        cofb_pad((uint8_t *)padded, y, output, input, length, direction);
        UNROLL
        for (unsigned i = 0; i < 4; i++) {
            m[i] = big_endian32(padded[i]);
        }
    } else if (direction == COFB_ABSORB) {
        cofb_block(m, y, NULL, input, COFB_ABSORB, 0);
    } else if (units_aligned(input, output)) {
        cofb_block(m, y, output, input, direction, 1);
    } else {
        cofb_block(m, y, output, input, direction, 0);
    }
    y->s[0] = y->s[2] ^ m[0];
    y->s[1] = y->s[3] ^ m[1];
    y->s[2] = (s0 << 1 | s1 >> 31) ^ m[2];
    y->s[3] = (s1 << 1 | s0 >> 31) ^ m[3];
}

#endif
