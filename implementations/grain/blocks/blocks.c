/*
 * Grain-128AEADv2 in blocks of 32 clocks: initialization, encryption and authentication.
 *
 * References: "Grain-128AEADv2" (2021), sections 2.2 and 2.3 (see grain.h).
 *
 * Two blocks make 64 bits of pre-output: 32 bits of key stream and 32 for the register R.
 */
#include "grain.h"

#include "bytes.h"
#include "inline.h"

/* Clocks `blocks` blocks; `y` gets 32 bits for each. Returns the generated words, which the caller
 * may still change. */
static grain_words *clock_blocks(grain_state *g, uint32_t *y, uint8_t blocks, uint8_t feedback)
{
    if (g->at == GRAIN_WINDOW_BLOCKS) {
        for (uint8_t i = 0; i < GRAIN_STATE_WORDS; i++) {
            g->window[i] = g->window[GRAIN_WINDOW_BLOCKS + i];
        }
        g->at = 0;
    }
    grain_words *w = g->window + g->at;
    grain_clock(w, y, blocks, feedback);
    g->at = (uint8_t)(g->at + blocks);
    return w + GRAIN_STATE_WORDS;
}

void grain_init(grain_state *g, const uint8_t *key, const uint8_t *nonce)
{
    uint32_t y[GRAIN_WINDOW_BLOCKS];

    for (uint8_t i = 0; i < 4; i++) {
        g->window[i].b = load32_le(key + 4 * i);
        g->window[i].s = i < 3 ? load32_le(nonce + 4 * i) : UINT32_C(0x7fffffff);
    }
    g->at = 0;
    g->taken = 0;
    clock_blocks(g, y, 8, 0xff);
    clock_blocks(g, y, 2, 0xff);
    for (uint8_t i = 0; i < 8; i = (uint8_t)(i + 4)) {
        grain_words *made = clock_blocks(g, y, 1, 0xff);
        made->b ^= load32_le(key + i);
        made->s ^= load32_le(key + 8 + i);
    }
    clock_blocks(g, y, 4, 0);
    g->a = (grain_authenticator){{y[0], y[1]}, {y[2], y[3]}};
}

/* Generates key stream and authentication bits for the next 32 bits of m'. */
static void next_group(grain_state *g)
{
    uint32_t y[2];

    clock_blocks(g, y, 2, 0);
    grain_separate(y, &g->z.word, &g->r);
}

/* Byte `i` of a group, counted from the least significant one. */
static inline uint8_t *grain_byte(grain_group *group, uint8_t i)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    i ^= 3;
#endif
    return &group->bytes[i];
}

#if GRAIN_NATIVE

typedef size_t group_bytes;

/* All groups of 32 bits of m' in `length` bytes; pointers as grain_bytes has them. Returns how many
 * bytes these are. */
static inline group_bytes take_groups(grain_state *g, uint8_t *output, const uint8_t *input,
                                      size_t length, enum grain_direction direction)
{
    const size_t groups = length / sizeof g->m;

    grain_take_groups(g->window + g->at, &g->a, output, input, groups, direction);
    return groups * sizeof g->m;
}

#else

typedef uint8_t group_bytes;

/* The same for one group, whose bits are taken at once. */
static inline group_bytes take_groups(grain_state *g, uint8_t *output, const uint8_t *input,
                                      size_t length, enum grain_direction direction)
{
    (void)length;
    next_group(g);
#if defined(__MSP430__) /* where assembling 32-bit words from bytes is slow */
    for (uint8_t i = 0; i < 4; i++) {
        const uint8_t m = input[i], sum = m ^ *grain_byte(&g->z, i);

        if (direction != GRAIN_ABSORB) {
            output[i] = sum;
        }
        *grain_byte(&g->m, i) = direction == GRAIN_DECRYPT ? sum : m;
    }
    grain_authenticate(&g->a, g->m.word, g->r);
#else
    uint32_t m = load32_le(input);

    if (direction != GRAIN_ABSORB) {
        const uint32_t sum = m ^ g->z.word;

        store32_le(output, sum);
        if (direction == GRAIN_DECRYPT) {
            m = sum;
        }
    }
    grain_authenticate(&g->a, m, g->r);
#endif
    return sizeof g->m;
}

#endif

/* Absorbs the next byte of m', which is `m` or, if that is encrypted, its decryption. Returns the
 * sum of `m` and the key stream. */
static uint8_t take_byte(grain_state *g, uint8_t m, enum grain_direction direction)
{
    if (g->taken == 0) {
        next_group(g);
        g->m.word = 0;
    }
    const uint8_t sum = m ^ *grain_byte(&g->z, g->taken);
    *grain_byte(&g->m, g->taken) = direction == GRAIN_DECRYPT ? sum : m;
    g->taken = (g->taken + 1) & 3;
    if (g->taken == 0) {
        grain_authenticate(&g->a, g->m.word, g->r);
    }
    return sum;
}

void grain_bytes(grain_state *g, uint8_t *output, const uint8_t *input, size_t length,
                 enum grain_direction direction)
{
    while (length != 0) {
        group_bytes n = 1;

        if (g->taken == 0 && length >= sizeof g->m) {
            n = take_groups(g, output, input, length, direction);
        } else {
            const uint8_t sum = take_byte(g, *input, direction);

            if (direction != GRAIN_ABSORB) {
                *output = sum;
            }
        }
        input += n;
        length -= n;
        if (direction != GRAIN_ABSORB) {
            output += n;
        }
    }
}

void grain_tag(grain_state *g, uint8_t *tag)
{
    if (g->taken == 0) {
        g->m.word = 0;
    }
    *grain_byte(&g->m, g->taken) = 1;
    grain_authenticate(&g->a, g->m.word, g->r);
    store32_le(tag, g->a.a[0]);
    store32_le(tag + 4, g->a.a[1]);
}
