/*
 * The tweaks of SAEF: the nonce for the first block only, and in the last byte, four bits of flags.
 *
 * References: E. Andreeva, V. Lallemand, A. Purnal, R. Reyhanitabar, A. Roy, D. Vizár, "ForkAE v1"
 * (submission to NIST's lightweight cryptography project, round 2, 2019), table 3 and section
 * 4.3.
 *
 * Included by aead.c after its type forkae.
 */
#ifndef PENNYWEIGHT_FORKAE_TWEAK_H
#define PENNYWEIGHT_FORKAE_TWEAK_H

enum {
    LAST_BYTE = FORKAE_TWEAK_BYTES - 1,
    FIRST = 0x08, /* the first block, with the nonce */
};

/* Never: SAEF does not limit lengths. */
static uint8_t too_long(size_t length)
{
    (void)length;
    return 0;
}

/* The first block comes next. */
static void begin_ad(forkae *s)
{
    s->count = 0;
}

/* Blocks of the message follow those of associated data. */
static void begin_message(forkae *s)
{
    (void)s;
}

/* The flags of a block of associated data: whether it is the last one, whether that one is partial,
 * and whether the message is empty. */
static uint8_t ad_flags(uint8_t last, uint8_t partial, uint8_t no_message)
{
    if (!last) {
        return 0;
    }
    return (uint8_t)(2 | partial | no_message << 2);
}

/* The flags of a block of the message. */
static uint8_t message_flags(uint8_t last, uint8_t partial)
{
    if (!last) {
        return 1;
    }
    return (uint8_t)(4 | partial);
}

/* Sets the flags of the next block; from the second on, zeros are the nonce. */
static void set_tweak(forkae *s, uint8_t flags)
{
    if (s->count++ == 0) {
        flags |= FIRST;
    } else {
        zero_bytes(s->tweak, CRYPTO_NPUBBYTES);
    }
    s->tweak[LAST_BYTE] = flags;
}

#endif
