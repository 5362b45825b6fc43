/*
 * The sponge on Keccak-f[1600], for all representations of the state.
 *
 * References: FIPS 202 (2015), sections 4 and 5.1 (see sponge.h).
 */
#include "sponge.h"

#include "variant.h"

void keccak_init(keccak_sponge *sponge)
{
    uint8_t *bytes = (uint8_t *)sponge;

    for (size_t i = 0; i < sizeof *sponge; i++) {
        bytes[i] = 0;
    }
}

/* Permutes, and begins a block. */
static void next_block(keccak_sponge *sponge)
{
    keccak1600_permute(&sponge->s);
    sponge->at = 0;
}

void keccak_absorb(keccak_sponge *sponge, const uint8_t *input, size_t length)
{
    while (length != 0) {
        uint8_t n = 1;

        if (sponge->at % 8 == 0 && length >= 8) {
            keccak1600_add_lane(&sponge->s, sponge->at / 8, input);
            n = 8;
        } else {
            keccak1600_add_byte(&sponge->s, sponge->at, *input);
        }
        input += n;
        length -= n;
        sponge->at = (uint8_t)(sponge->at + n);
        if (sponge->at == KECCAK_RATE) {
            next_block(sponge);
        }
    }
}

void keccak_fill(keccak_sponge *sponge)
{
    if (sponge->at != 0) {
        next_block(sponge);
    }
}

void keccak_finish(keccak_sponge *sponge, uint8_t suffix)
{
    keccak1600_add_byte(&sponge->s, sponge->at, suffix);
    keccak1600_add_byte(&sponge->s, KECCAK_RATE - 1, 0x80);
    next_block(sponge);
}

void keccak_read(const keccak_sponge *sponge, uint8_t at, uint8_t *output, uint8_t length)
{
    uint8_t lane[8];

    for (uint8_t i = at; length != 0; i++, length--) {
        if (i == at || i % 8 == 0) {
            keccak1600_lane(&sponge->s, i / 8, lane);
        }
        *output++ = lane[i % 8];
    }
}

void keccak_squeeze(keccak_sponge *sponge, uint8_t *output, size_t length)
{
    while (length != 0) {
        uint8_t n = (uint8_t)(KECCAK_RATE - sponge->at);

        if (n == 0) {
            next_block(sponge);
            continue;
        }
        if (n > length) {
            n = (uint8_t)length;
        }
        keccak_read(sponge, sponge->at, output, n);
        sponge->at = (uint8_t)(sponge->at + n);
        output += n;
        length -= n;
    }
}
