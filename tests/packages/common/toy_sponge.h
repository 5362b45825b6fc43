/*
 * What the toy MAC, XOF and customised XOF share. It protects nothing. Every step can be undone, so
 * that two messages of one length never give the same state.
 */
#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint8_t s[16];
    uint8_t at;
} toy_sponge;

static void toy_byte(toy_sponge *x, uint8_t byte)
{
    const uint8_t next = (uint8_t)((x->at + 1) % 16);

    x->s[x->at] = (uint8_t)(x->s[x->at] * 5 + byte + x->s[next] + 1);
    x->at = next;
}

static void toy_absorb(toy_sponge *x, const uint8_t *data, size_t length)
{
    size_t i;

    for (i = 0; i < length; i++) {
        toy_byte(x, data[i]);
    }
}

static void toy_start(toy_sponge *x, const uint8_t *custom, size_t length)
{
    size_t i;

    for (i = 0; i < 16; i++) {
        x->s[i] = 0;
    }
    x->at = 0;
    toy_absorb(x, custom, length);
    toy_byte(x, (uint8_t)length);
}

static void toy_mix(toy_sponge *x)
{
    uint8_t i;

    for (i = 0; i < 48; i++) {
        toy_byte(x, i);
    }
}

static void toy_squeeze(toy_sponge *x, uint8_t *output, size_t length)
{
    size_t i;

    for (i = 0; i < length; i++) {
        toy_byte(x, 7);
        output[i] = (uint8_t)(x->s[(x->at + 15) % 16] + x->s[x->at]);
    }
}
