/*
 * Blocks of 16 bytes in modes of block ciphers: arrays of words only for alignment; their bytes are
 * in memory order.
 *
 * References: none beyond C11.
 */
#ifndef PENNYWEIGHT_UTIL_BLOCK128_H
#define PENNYWEIGHT_UTIL_BLOCK128_H

#include <stdint.h>

#include "aligned.h"
#include "bytes.h"
#include "order.h"

/* Whether the machine has 32-bit registers. If not, bytes take less code. A test defines it to
 * build these functions for the host. */
#ifndef BLOCK_WORDS
#define BLOCK_WORDS (UINTPTR_MAX > 0xffff)
#endif

/* A function that may be unused and is never inlined. */
#if defined(__GNUC__)
#define BLOCK_CALL static __attribute__((noinline, unused))
#else
#define BLOCK_CALL static inline
#endif

/* Copies a block. */
static inline void block_copy(uint32_t to[4], const uint32_t from[4])
{
#if BLOCK_WORDS
    to[0] = from[0];
    to[1] = from[1];
    to[2] = from[2];
    to[3] = from[3];
#else
    copy_bytes((uint8_t *)to, (const uint8_t *)from, 16);
#endif
}

/* sum += block. */
static inline void block_add(uint32_t sum[4], const uint32_t block[4])
{
#if BLOCK_WORDS
    sum[0] ^= block[0];
    sum[1] ^= block[1];
    sum[2] ^= block[2];
    sum[3] ^= block[3];
#else
    for (uint8_t i = 0; i < 16; i++) {
        ((uint8_t *)sum)[i] ^= ((const uint8_t *)block)[i];
    }
#endif
}

/* Adds `length` bytes, at most 16, to the first bytes of `sum`. */
BLOCK_CALL void block_add_bytes(uint32_t *sum, const uint8_t *bytes, uint8_t length)
{
    uint8_t *to;

#if BLOCK_WORDS
    if (is_aligned32(bytes)) {
        for (; length >= 4; length = (uint8_t)(length - 4)) {
            *sum++ ^= load32_aligned(bytes);
            bytes += 4;
        }
    }
#endif
    for (to = (uint8_t *)sum; length != 0; length--) {
        *to++ ^= *bytes++;
    }
}

/*
 * Processes at most 16 bytes of a message: output = input ^ stream, and `sum` gets the input added,
 * or the output if `add_output` is not 0.
 */
BLOCK_CALL void block_crypt(uint32_t *sum, uint8_t *output, const uint8_t *input,
                            const uint32_t *stream, uint8_t length, uint8_t add_output)
{
    const uint8_t mask = (uint8_t)(0 - (add_output != 0));
    const uint8_t *byte;
    uint8_t *to;

#if BLOCK_WORDS
    if (is_aligned32(input) && is_aligned32(output)) {
        const uint32_t wide = UINT32_C(0) - (add_output != 0);

        for (; length >= 4; length = (uint8_t)(length - 4)) {
            const uint32_t in = load32_aligned(input), s = *stream++;

            store32_aligned(output, in ^ s);
            *sum++ ^= in ^ (s & wide);
            input += 4;
            output += 4;
        }
    }
#endif
    byte = (const uint8_t *)stream;
    for (to = (uint8_t *)sum; length != 0; length--) {
        const uint8_t in = *input++, s = *byte++;

        *output++ = in ^ s;
        *to++ ^= in ^ (s & mask);
    }
}

/* Increments the last `bytes` bytes of a block, a number with its most significant byte first,
 * modulo 256^bytes. The time depends on the number, which must be public. */
static inline void block_increment(uint32_t block[4], uint8_t bytes)
{
    uint8_t *byte = (uint8_t *)block + 16;

    do {
        if (++*--byte != 0) {
            break;
        }
    } while (--bytes != 0);
}

/* Increments a block, a number with its most significant byte first, modulo 2^128; in constant
 * time. */
static inline void block_increment_secret(uint32_t block[4])
{
#if BLOCK_WORDS
    uint32_t carry = 1;

    for (unsigned i = 4; i-- != 0;) {
        const uint32_t word = big_endian32(block[i]) + carry;

        block[i] = big_endian32(word);
        carry &= (~word & (word - 1)) >> 31; /* 1 if the word is 0 now */
    }
#else
    uint8_t *byte = (uint8_t *)block + 16;
    uint16_t sum = 0x100;

    for (uint8_t i = 16; i != 0; i--) {
        sum = (uint16_t)(*--byte + (sum >> 8));
        *byte = (uint8_t)sum;
    }
#endif
}

/* to = 2 from, in GF(2^128) = GF(2)[x] / (x^128 + x^7 + x^2 + x + 1), the block's first bit being
 * the coefficient of x^127. */
static inline void block_double(uint32_t to[4], const uint32_t from[4])
{
#if BLOCK_WORDS
    uint32_t carry = 0;

    for (unsigned i = 4; i-- != 0;) {
        const uint32_t word = big_endian32(from[i]);

        to[i] = big_endian32(word << 1 | carry);
        carry = word >> 31;
    }
    to[3] ^= big_endian32((0 - carry) & 0x87);
#else
    const uint8_t *in = (const uint8_t *)from + 16;
    uint8_t *out = (uint8_t *)to + 16;
    uint8_t carry = 0;

    for (uint8_t i = 16; i != 0; i--) {
        const uint8_t byte = *--in;

        *--out = (uint8_t)(byte << 1 | carry);
        carry = byte >> 7;
    }
    out[15] = (uint8_t)(out[15] ^ ((0 - carry) & 0x87));
#endif
}

#endif
