/*
 * The tweaks of PAEF: nonce, three bits of flags, and the number of the block, the last byte of
 * which is the least significant.
 *
 * References: E. Andreeva, V. Lallemand, A. Purnal, R. Reyhanitabar, A. Roy, D. Vizár, "ForkAE v1"
 * (submission to NIST's lightweight cryptography project, round 2, 2019), table 3 and section 4.2;
 * for the number 2^COUNTER_BITS, the submitted reference code.
 *
 * Included by aead.c after its type forkae.
 */
#ifndef PENNYWEIGHT_FORKAE_TWEAK_H
#define PENNYWEIGHT_FORKAE_TWEAK_H

enum { TWEAK_END = FORKAE_TWEAK_BYTES };

/* The bits of a block's number: 13, but 53 in PAEF-ForkSkinny-128-288. */
#define COUNTER_BITS (8 * (FORKAE_TWEAK_BYTES - CRYPTO_NPUBBYTES) - 3)

/* Whether that many bytes exceed 2^COUNTER_BITS blocks. A short size_t cannot exceed them. */
static uint8_t too_long(size_t length)
{
#if SIZE_MAX / FORKSKINNY_BYTES >> COUNTER_BITS != 0
    return length > (size_t)FORKSKINNY_BYTES << COUNTER_BITS;
#else
    (void)length;
    return 0;
#endif
}

/* Blocks are numbered from 1 on. */
static void begin_ad(forkae *s)
{
    s->count = 0;
}

/* The message's blocks are numbered from 1 on, too. */
static void begin_message(forkae *s)
{
    s->count = 0;
}

/* The three flag bits, the upper ones of a byte, of a block of associated data: whether it is the
 * last one, and whether that one is partial. */
static uint8_t ad_flags(uint8_t last, uint8_t partial, uint8_t no_message)
{
    (void)no_message;
    if (!last) {
        return 0;
    }
    return partial ? 0x60 : 0x20;
}

/* The same for a block of the message. */
static uint8_t message_flags(uint8_t last, uint8_t partial)
{
    if (!last) {
        return 0x80;
    }
    return partial ? 0xe0 : 0xa0;
}

/* Sets flags and number of the next block. The number 2^COUNTER_BITS, possible only for a last
 * block, inverts the flag that marks last blocks and is otherwise encoded as 0, which no other
 * number is. That tweak is unique, too. */
static void set_tweak(forkae *s, uint8_t flags)
{
    size_t n = ++s->count;

    for (uint8_t i = TWEAK_END; i-- != CRYPTO_NPUBBYTES;) {
        s->tweak[i] = (uint8_t)n;
        n >>= 8;
    }
    s->tweak[CRYPTO_NPUBBYTES] ^= flags;
}

#endif
