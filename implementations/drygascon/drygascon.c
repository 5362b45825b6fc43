/*
 * DrySPONGE over GASCON.
 *
 * References: S. Riou, "DryGASCON" (submission to NIST's lightweight cryptography project, round 2,
 * 2019), sections 2 and 3; same names.
 */
#include "drygascon.h"

#include "bytes.h"
#include "diffuse.h"
#include "substitute.h"

/* CoreRound. */
static void core_round(uint32_t *c, uint8_t round)
{
    c[2 * MIDDLE] ^= (uint8_t)((15U - round) << 4 | round);
    substitute(c);
    substitute(c + 1);
    DIFFUSE(0, 9, 10, 14);
    DIFFUSE(1, 30, 31, 19);
    DIFFUSE(2, 0, 1, 3);
    DIFFUSE(3, 8, 9, 5);
    DIFFUSE(4, 3, 4, 20);
#if DRYGASCON_WORDS == 9
    DIFFUSE(5, 15, 16, 13);
    DIFFUSE(6, 26, 27, 29);
    DIFFUSE(7, 4, 5, 23);
    DIFFUSE(8, 21, 22, 25);
#endif
}

void drygascon_set_c(drygascon *s, const uint8_t *key)
{
    uint8_t at = 0;

    for (uint8_t i = 0; i < 2 * W; i++) {
        s->c[i] = load32_le(key + at);
        at = (uint8_t)((at + 4) % DRYGASCON_KEY);
    }
}

void drygascon_set_x(drygascon *s, const uint8_t *bytes)
{
    for (uint8_t i = 0; i < 4; i++) {
        s->x[i] = load32_le(bytes + 4 * i);
    }
}

/* The words of x must differ. Time reveals only whether two are equal (one key in 2^29). */
void drygascon_derive_x(drygascon *s, const uint8_t *key)
{
    uint8_t equal;

    do {
        core_round(s->c, 0);
        equal = (uint8_t)((s->c[0] == s->c[1]) | (s->c[0] == s->c[2]) | (s->c[0] == s->c[3]) |
                          (s->c[1] == s->c[2]) | (s->c[1] == s->c[3]) | (s->c[2] == s->c[3]));
    } while (equal);
    for (uint8_t i = 0; i < 4; i++) {
        s->x[i] = s->c[i];
        s->c[i] = load32_le(key + 4 * i);
    }
}

void drygascon_next(drygascon *s, uint8_t rounds)
{
    for (uint8_t i = 0; i < 4; i++) {
        s->r[i] = 0;
    }
    for (uint8_t round = 0; round < rounds; round++) {
        core_round(s->c, round);
        for (uint8_t k = 0; k < DRYGASCON_SUMS; k++) {
            for (uint8_t i = 0; i < 4; i++) {
                s->r[i] ^= s->c[4 * k + ((i + k) & 3)];
            }
        }
    }
}

/* Adds to the even bits of each word of c the word of x that two bits select; reads all. */
static void mix_round(drygascon *s, uint32_t bits)
{
    const uint32_t x01 = s->x[0] ^ s->x[1], x23 = s->x[2] ^ s->x[3];

    for (uint8_t i = 0; i < W; i++) {
        const uint32_t m0 = UINT32_C(0) - (bits & 1), m1 = UINT32_C(0) - (bits >> 1 & 1);
        const uint32_t a = s->x[0] ^ (x01 & m0), b = s->x[2] ^ (x23 & m0);

        s->c[2 * i] ^= a ^ ((a ^ b) & m1);
        bits >>= 2;
    }
}

void drygascon_take(drygascon *s, const uint8_t *block, uint8_t domain, uint8_t rounds)
{
    uint32_t bits = 0;
    uint8_t held = 0, taken = 0;

    /* MixPhase: the block and four domain bits, a few bits at a time, with rounds in between. */
    for (;;) {
        while (held < DRYGASCON_MIX_BITS && taken <= DRYGASCON_BLOCK) {
            const uint8_t byte = taken == DRYGASCON_BLOCK ? domain : block[taken];

            bits |= (uint32_t)byte << held;
            held = (uint8_t)(held + 8);
            taken++;
        }
        mix_round(s, bits);
        if (taken > DRYGASCON_BLOCK && held <= DRYGASCON_MIX_BITS + 4) {
            break;
        }
        bits >>= DRYGASCON_MIX_BITS;
        held = (uint8_t)(held - DRYGASCON_MIX_BITS);
        core_round(s->c, 0);
    }
    drygascon_next(s, rounds);
}
