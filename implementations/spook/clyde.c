/*
 * The tweakable block cipher Clyde-128 and the permutation Shadow, version 1.
 *
 * References: D. Bellizia, F. Berti, O. Bronchain, G. Cassiers, S. Duval, C. Guo, G. Leander, G.
 * Leurent, I. Levi, C. Momin, O. Pereira, T. Peters, F.-X. Standaert, F. Wiemer, "Spook"
 * (submission to NIST's lightweight cryptography project, round 2, 2019), section 2; same
 * names.
 */
#include "clyde.h"

#include "bytes.h"
#include "calls.h"
#include "inline.h"
#include "rotate.h"

enum { STEPS = 6 };

/* The S-box on all columns of a bundle. */
ALWAYS_INLINE void substitute(uint32_t x[4])
{
    const uint32_t y1 = (x[0] & x[1]) ^ x[2];
    const uint32_t y0 = (x[3] & x[0]) ^ x[1];
    const uint32_t y3 = (y1 & x[3]) ^ x[0];
    const uint32_t y2 = (y0 & y1) ^ x[3];

    x[0] = y0;
    x[1] = y1;
    x[2] = y2;
    x[3] = y3;
}

/* The L-box on a pair of rows. */
CLYDE_CALL void diffuse(uint32_t *pair)
{
    const uint32_t x = pair[0], y = pair[1];
    uint32_t a, b, c, d;

    a = x ^ rotr32(x, 12);
    b = y ^ rotr32(y, 12);
    a ^= rotr32(a, 3);
    b ^= rotr32(b, 3);
    a ^= rotr32(x, 17);
    b ^= rotr32(y, 17);
    c = a ^ rotr32(a, 31);
    d = b ^ rotr32(b, 31);
    pair[0] = a ^ rotr32(d, 26) ^ rotr32(c, 15);
    pair[1] = b ^ rotr32(c, 25) ^ rotr32(d, 15);
}

/* The next round constant, a bit for each row: an LFSR of four bits. */
static uint8_t next_constant(uint8_t c)
{
    return (uint8_t)((c << 1 & 0x0e) ^ (c >> 3) * 3);
}

/* Adds a round constant to bit `at` of the rows. */
static void add_constant(uint32_t x[4], uint8_t c, uint8_t at)
{
    for (uint8_t row = 0; row < 4; row++) {
        x[row] ^= (uint32_t)(c & 1) << at;
        c >>= 1;
    }
}

/* Reads rows from 16 bytes. */
static void load(uint32_t x[4], const uint8_t *bytes)
{
    for (uint8_t row = 0; row < 4; row++) {
        x[row] = load32_le(bytes + 4 * row);
    }
}

/* Writes the rows as 16 bytes. */
static void store(uint8_t *bytes, const uint32_t x[4])
{
    for (uint8_t row = 0; row < 4; row++) {
        store32_le(bytes + 4 * row, x[row]);
    }
}

void clyde_encrypt(uint8_t *output, const uint8_t *block, const uint8_t *tweak, const uint8_t *key)
{
    uint32_t x[4], k[4], t[4];
    uint8_t c = 1;

    load(x, block);
    load(k, key);
    load(t, tweak);
    for (uint8_t step = 0;; step++) {
        /* The tweakey, K + phi^step(T), where phi maps (T_0, T_1) to (T_0 + T_1, T_0). */
        for (uint8_t row = 0; row < 4; row++) {
            x[row] ^= k[row] ^ t[row];
        }
        if (step == STEPS) {
            break;
        }
        for (uint8_t row = 0; row < 2; row++) {
            const uint32_t t0 = t[row];

            t[row] ^= t[2 + row];
            t[2 + row] = t0;
        }
        for (uint8_t round = 0; round < 2; round++) {
            substitute(x);
            diffuse(x);
            diffuse(x + 2);
            add_constant(x, c, 0);
            c = next_constant(c);
        }
    }
    store(output, x);
}

void shadow_permute(uint8_t *bytes)
{
    uint32_t x[SHADOW_BUNDLES][4];
    uint8_t c = 1;

    for (uint8_t b = 0; b < SHADOW_BUNDLES; b++) {
        load(x[b], bytes + 16 * b);
    }
    for (uint8_t step = 0; step < STEPS; step++) {
        for (uint8_t b = 0; b < SHADOW_BUNDLES; b++) {
            substitute(x[b]);
            diffuse(x[b]);
            diffuse(x[b] + 2);
            add_constant(x[b], c, b);
            substitute(x[b]);
        }
        c = next_constant(c);
        /* The D-box, across bundles */
        for (uint8_t row = 0; row < 4; row++) {
            const uint32_t x0 = x[0][row], x1 = x[1][row], x2 = x[2][row];
#if SHADOW_BUNDLES == 4
            const uint32_t x3 = x[3][row], upper = x0 ^ x1, lower = x2 ^ x3;

            x[0][row] = x1 ^ lower;
            x[1][row] = x0 ^ lower;
            x[2][row] = upper ^ x3;
            x[3][row] = upper ^ x2;
#else
            x[0][row] = x0 ^ x1 ^ x2;
            x[1][row] = x0 ^ x2;
            x[2][row] = x0 ^ x1;
#endif
        }
        for (uint8_t b = 0; b < SHADOW_BUNDLES; b++) {
            add_constant(x[b], c, b);
        }
        c = next_constant(c);
    }
    for (uint8_t b = 0; b < SHADOW_BUNDLES; b++) {
        store(bytes + 16 * b, x[b]);
    }
}
