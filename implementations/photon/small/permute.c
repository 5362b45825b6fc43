/*
 * PHOTON-256 optimised for code size: a row is a word of eight cells.
 *
 * References: "PHOTON-Beetle" (2021), chapter 2 (see photon256.h); same names.
 */
#include "photon256.h"

#include "rotate.h"
#include "sbox.h"

#define BIT_0 UINT32_C(0x11111111) /* of all cells */

/* SubCells on some cells. */
static photon256_cells substitute(photon256_cells x)
{
    const photon256_cells mask = (photon256_cells)BIT_0;
    photon256_cells x0 = x, x1 = x >> 1, x2 = x1 >> 1, x3 = x2 >> 1;

    PHOTON_SBOX(photon256_cells, x0, x1, x2, x3);
    x = x3 & mask;
    x = (photon256_cells)(x << 1 | (x2 & mask));
    x = (photon256_cells)(x << 1 | (x1 & mask));
    return (photon256_cells)(x << 1 | (x0 & mask));
}

/* The row `x` times the field's element 2; the field's polynomial is X^4 + X + 1. */
static uint32_t twice(uint32_t x)
{
    const uint32_t over = x >> 3 & BIT_0;

    x = (x << 1 & ~BIT_0) ^ over;
    return x ^ over << 1;
}

/* The next of the constants RC, and of the constants IC if `tap` is 0: a shift register of four
 * bits. */
static uint8_t next_constant(uint8_t c, uint8_t tap)
{
    return (uint8_t)((c << 1 & 15) | (~(c >> 3 ^ (c >> 2 & tap)) & 1));
}

void photon256_permute(photon256_state *state)
{
    uint8_t rc = 1;

    do {
        photon256_cells *cells = state->cells;
        uint8_t ic = 0;

        for (uint8_t i = 0; i < PHOTON256_ROWS; i++) {
            uint32_t row;

            *photon256_byte(state, (uint8_t)(4 * i)) ^= rc ^ ic; /* AddConstant */
            for (uint8_t n = sizeof row / sizeof *cells; n != 0; n--, cells++) {
                *cells = substitute(*cells);
            }
            row = state->rows[i];
#if defined(PHOTON256_EXCHANGES_BYTES)
            row = (row & UINT32_C(0xff00ff00)) | (row & 0xff) << 16 | (row >> 16 & 0xff);
#endif
            for (uint8_t n = i; n != 0; n--) {
                row = rotr32(row, 4); /* ShiftRows */
            }
            state->rows[i] = row;
            ic = next_constant(ic, 0);
        }
        /* MixColumnsSerial: eight times, the row after the last. */
        for (uint8_t step = PHOTON256_ROWS; step != 0; step--) {
            uint32_t *x = state->rows;
            uint32_t sum = twice(x[3] ^ x[5]);

            sum = twice(sum ^ x[1] ^ x[6] ^ x[7]);
            sum = twice(sum ^ x[0] ^ x[2] ^ x[3] ^ x[4] ^ x[7]) ^ x[3] ^ x[6];
            for (uint8_t i = PHOTON256_ROWS - 1; i != 0; i--, x++) {
                x[0] = x[1];
            }
            *x = sum;
        }
        rc = next_constant(rc, 1);
    } while (rc != 4); /* the thirteenth value */
}
