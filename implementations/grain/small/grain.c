/*
 * Grain-128AEADv2 optimised for code size: the functions of the two registers are data.
 *
 * References: "Grain-128AEADv2" (2021), sections 2.1 to 2.3 (see grain.h).
 */
#include "grain.h"

#include "bytes.h"
#include "flash.h"

#define WORD_BITS (8 * GRAIN_WORD_BYTES)
#define S(i) (i)       /* tap s_i */
#define B(i) (128 + i) /* tap b_i */

/* Sums of products of taps. A tap that is greater than the one before it is a further factor, any
 * other one begins a new product. */
static const uint8_t taps[] IN_FLASH = {
    /* y */
    B(89),
    B(73),
    B(64),
    B(45),
    B(36),
    B(15),
    B(2),
    S(93),
    S(60),
    S(79),
    S(42),
    B(95),
    S(13),
    S(20),
    S(8),
    B(12),
    S(94),
    B(12),
    B(95),
    /* b_128 */
    B(96),
    B(91),
    B(88),
    B(92),
    B(93),
    B(95),
    B(70),
    B(78),
    B(82),
    B(68),
    B(84),
    B(61),
    B(65),
    B(56),
    B(40),
    B(48),
    B(27),
    B(59),
    B(26),
    B(22),
    B(24),
    B(25),
    B(17),
    B(18),
    B(11),
    B(13),
    B(3),
    B(67),
    B(0),
    S(0),
    /* s_128 */
    S(96),
    S(81),
    S(70),
    S(38),
    S(7),
    S(0),
};
enum { Y = 0, NEXT_B = 19, NEXT_S = 49, TAPS = 55 };

/* The taps from `from` to `to` - 1 for the next WORD_BITS clocks. */
static grain_word sum(const grain_word *registers, uint8_t from, uint8_t to)
{
    grain_word result = 0, product = 0;
    uint8_t last = 0xff;

    for (; from != to; from++) {
        const uint8_t tap = flash_u8(&taps[from]);
        const grain_word *w = registers + tap / WORD_BITS;
        const uint8_t n = tap % WORD_BITS;
#if GRAIN_WORD_BYTES == 1
        const uint8_t word = (uint8_t)((w[0] | (unsigned)w[1] << 8) >> n);
#else
        const uint32_t word = w[0] >> n | w[1] << 1 << (31 - n);
#endif
        if (tap > last) {
            product &= word;
        } else {
            result ^= product;
            product = word;
        }
        last = tap;
    }
    return result ^ product;
}

/* Clocks WORD_BITS times and returns the pre-output, which is fed back into the registers if
 * `feedback` is all ones instead of 0. `b` and `s` go into them too. */
static grain_word clock_word(grain_word *registers, grain_word feedback, grain_word b, grain_word s)
{
    const grain_word y = sum(registers, Y, NEXT_B);

    b = (grain_word)(b ^ (y & feedback) ^ sum(registers, NEXT_B, NEXT_S));
    s = (grain_word)(s ^ (y & feedback) ^ sum(registers, NEXT_S, TAPS));
    for (uint8_t i = 0; i < 2 * GRAIN_REGISTER_WORDS - 1; i++) {
        registers[i] = registers[i + 1];
    }
    registers[GRAIN_REGISTER_WORDS - 1] = s;
    registers[2 * GRAIN_REGISTER_WORDS - 1] = b;
    return y;
}

/* The word of GRAIN_WORD_BYTES bytes at `p`. */
static grain_word load(const uint8_t *p)
{
#if GRAIN_WORD_BYTES == 1
    return *p;
#else
    return load32_le(p);
#endif
}

void grain_init(grain_state *g, const uint8_t *key, const uint8_t *nonce)
{
    for (uint8_t i = 0; i < GRAIN_REGISTER_WORDS; i++) {
        const uint8_t at = (uint8_t)(i * GRAIN_WORD_BYTES);

        g->registers[i] = at < 12 ? load(nonce + at) : (grain_word)-1;
        g->registers[GRAIN_REGISTER_WORDS + i] = load(key + at);
    }
    g->registers[GRAIN_REGISTER_WORDS - 1] >>= 1;
    for (uint8_t i = 0; i < 320 / WORD_BITS; i++) {
        clock_word(g->registers, (grain_word)-1, 0, 0);
    }
    for (uint8_t i = 0; i < 8; i = (uint8_t)(i + GRAIN_WORD_BYTES)) {
        clock_word(g->registers, (grain_word)-1, load(key + i), load(key + 8 + i));
    }
    for (uint8_t i = 0; i < 2 * GRAIN_TAG_WORDS; i++) {
        g->tag[i] = clock_word(g->registers, 0, 0, 0);
    }
    g->left = 0;
}

/* The next bit of the pre-output. */
static uint8_t next_bit(grain_state *g)
{
    if (g->left == 0) {
        g->y = clock_word(g->registers, 0, 0, 0);
        g->left = WORD_BITS;
    }
    g->left--;
    const uint8_t bit = g->y & 1;
    g->y >>= 1;
    return bit;
}

/* A += R if `bit` is 1, then R takes the bit `next`. */
static void accumulate(grain_state *g, uint8_t bit, uint8_t next)
{
    grain_word *a = g->tag + GRAIN_TAG_WORDS;

    for (uint8_t i = 0; i < GRAIN_TAG_WORDS; i++) {
        a--;
        const grain_word r = a[GRAIN_TAG_WORDS];
        *a ^= (grain_word)(r & ((grain_word)0 - bit));
        a[GRAIN_TAG_WORDS] = (grain_word)(r >> 1 | (grain_word)next << (WORD_BITS - 1));
        next = r & 1;
    }
}

void grain_bytes(grain_state *g, uint8_t *output, const uint8_t *input, size_t length,
                 enum grain_direction direction)
{
    for (; length != 0; length--) {
        uint8_t byte = *input++;

        /* Bits leave the byte at the lower end, and new ones enter it at the upper end. */
        for (uint8_t i = 0; i < 8; i++) {
            const uint8_t in = byte & 1, out = in ^ next_bit(g);

            byte = (uint8_t)(byte >> 1 | out << 7);
            accumulate(g, direction == GRAIN_DECRYPT ? out : in, next_bit(g));
        }
        if (direction != GRAIN_ABSORB) {
            *output++ = byte;
        }
    }
}

void grain_tag(grain_state *g, uint8_t *tag)
{
    accumulate(g, 1, 0);
    for (uint8_t i = 0; i < GRAIN_TAG_BYTES; i++) {
        *tag++ = (uint8_t)(g->tag[i / GRAIN_WORD_BYTES] >> 8 * (i % GRAIN_WORD_BYTES));
    }
}
