/*
 * PHOTON-256 in bytes.
 *
 * References: "PHOTON-Beetle" (2021), chapter 2 (see photon256.h); same names.
 *
 * A byte is a slice of a row: bit p of its eight cells. The steps of MixColumnsSerial are done in
 * two groups of four. The four rows computed by a group are sums in 16 bytes, which fit into the
 * registers of an AVR, and each input row is read once for all of its products. A group's results
 * for rows 4 to 7 stay in registers for the next round's S-boxes. The first group is the last one
 * to read rows 0 to 3, and substitutes them as it reads them.
 */
#include "photon256.h"

#include "keep.h"
#include "sbox.h"

/* Slice `p` of row `i` of the state `x`. */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define SLICE(i, p) x->bytes[4 * (i) + 3 - (p)]
#else
#define SLICE(i, p) x->bytes[4 * (i) + (p)]
#endif

/* A row `v` is the variables v0 to v3; sums of two of them are v02, v03, v12 and v23. */
#define ROW(v) uint8_t v##0, v##1, v##2, v##3
#define ROW_PAIRS(v) uint8_t v##02, v##03, v##12, v##23

/* Reads row `i` of the state. */
#define LOAD(v, i)                                                                                 \
    do {                                                                                           \
        v##0 = SLICE(i, 0);                                                                        \
        v##1 = SLICE(i, 1);                                                                        \
        v##2 = SLICE(i, 2);                                                                        \
        v##3 = SLICE(i, 3);                                                                        \
    } while (0)

/* Writes row `i` of the state. */
#define STORE(v, i)                                                                                \
    do {                                                                                           \
        SLICE(i, 0) = v##0;                                                                        \
        SLICE(i, 1) = v##1;                                                                        \
        SLICE(i, 2) = v##2;                                                                        \
        SLICE(i, 3) = v##3;                                                                        \
    } while (0)

/* Makes the sums by pairs. */
#define PAIRS(v)                                                                                   \
    do {                                                                                           \
        v##02 = v##0 ^ v##2;                                                                       \
        v##03 = v##0 ^ v##3;                                                                       \
        v##12 = v##1 ^ v##2;                                                                       \
        v##23 = v##2 ^ v##3;                                                                       \
    } while (0)

/* A slice whose cells move left by `n`: its bits move right. */
#define ROTATE(x, n) (uint8_t)((x) >> (n) | (x) << ((8 - (n)) & 7))

/* AddConstant with the constant in rc0 to rc3, SubCells, and ShiftRows by `n` cells. */
#define SUBSTITUTE(v, n)                                                                           \
    do {                                                                                           \
        v##0 ^= rc0;                                                                               \
        v##1 ^= rc1;                                                                               \
        v##2 ^= rc2;                                                                               \
        v##3 ^= rc3;                                                                               \
        PHOTON_SBOX(uint8_t, v##0, v##1, v##2, v##3);                                              \
        v##0 = ROTATE(v##0, n);                                                                    \
        v##1 = ROTATE(v##1, n);                                                                    \
        v##2 = ROTATE(v##2, n);                                                                    \
        v##3 = ROTATE(v##3, n);                                                                    \
        KEEP(v##0);                                                                                \
        KEEP(v##1);                                                                                \
        KEEP(v##2);                                                                                \
        KEEP(v##3);                                                                                \
    } while (0)

/* Complements a bit of the constant: IC differs in one bit from row to row. */
#define FLIP(bit)                                                                                  \
    do {                                                                                           \
        uint8_t one = 1;                                                                           \
        KEEP(one); /* or it would occupy a register throughout */                                  \
        (bit) ^= one;                                                                              \
        KEEP(bit);                                                                                 \
    } while (0)

#define ADD(sum, slice)                                                                            \
    do {                                                                                           \
        (sum) ^= (slice);                                                                          \
        KEEP(sum);                                                                                 \
    } while (0)

/* s = 2 v, and s += n v: products with elements of the field, in which X^4 = X + 1. */
#define SET_2(s, v)                                                                                \
    do {                                                                                           \
        s##0 = v##3;                                                                               \
        s##1 = v##03;                                                                              \
        s##2 = v##1;                                                                               \
        s##3 = v##2;                                                                               \
    } while (0)
#define ADD_2(s, v)                                                                                \
    do {                                                                                           \
        ADD(s##0, v##3);                                                                           \
        ADD(s##1, v##03);                                                                          \
        ADD(s##2, v##1);                                                                           \
        ADD(s##3, v##2);                                                                           \
    } while (0)
#define ADD_4(s, v)                                                                                \
    do {                                                                                           \
        ADD(s##0, v##2);                                                                           \
        ADD(s##1, v##23);                                                                          \
        ADD(s##2, v##03);                                                                          \
        ADD(s##3, v##1);                                                                           \
    } while (0)
#define ADD_8(s, v)                                                                                \
    do {                                                                                           \
        ADD(s##0, v##1);                                                                           \
        ADD(s##1, v##12);                                                                          \
        ADD(s##2, v##23);                                                                          \
        ADD(s##3, v##03);                                                                          \
    } while (0)
#define ADD_11(s, v)                                                                               \
    do {                                                                                           \
        ADD(s##0, v##03);                                                                          \
        ADD(s##0, v##1);                                                                           \
        ADD(s##1, v##03);                                                                          \
        ADD(s##1, v##2);                                                                           \
        ADD(s##2, v##1);                                                                           \
        ADD(s##2, v##3);                                                                           \
        ADD(s##3, v##02);                                                                          \
    } while (0)
#define ADD_5(s, v)                                                                                \
    do {                                                                                           \
        ADD(s##0, v##02);                                                                          \
        ADD(s##1, v##1);                                                                           \
        ADD(s##1, v##23);                                                                          \
        ADD(s##2, v##03);                                                                          \
        ADD(s##2, v##2);                                                                           \
        ADD(s##3, v##1);                                                                           \
        ADD(s##3, v##3);                                                                           \
    } while (0)
#define ADD_6(s, v)                                                                                \
    do {                                                                                           \
        ADD(s##0, v##23);                                                                          \
        ADD(s##1, v##02);                                                                          \
        ADD(s##2, v##03);                                                                          \
        ADD(s##2, v##1);                                                                           \
        ADD(s##3, v##12);                                                                          \
    } while (0)

/* The rest of four steps of MixColumnsSerial, when a to d have the products of rows `i0` to `i3`,
 * the first of the eight rows `i0` to `i7`: makes them the four rows after the last. Coefficients
 * are 2, 4, 2, 11, 2, 8, 5 and 6; later rows among the four have earlier ones among their eight. */
#define FINISH_STEPS(i4, i5, i6, i7)                                                               \
    do {                                                                                           \
        LOAD(v, i4);                                                                               \
        PAIRS(v);                                                                                  \
        ADD_2(a, v);                                                                               \
        ADD_11(b, v);                                                                              \
        ADD_2(c, v);                                                                               \
        ADD_4(d, v);                                                                               \
        LOAD(v, i5);                                                                               \
        PAIRS(v);                                                                                  \
        ADD_8(a, v);                                                                               \
        ADD_2(b, v);                                                                               \
        ADD_11(c, v);                                                                              \
        ADD_2(d, v);                                                                               \
        LOAD(v, i6);                                                                               \
        PAIRS(v);                                                                                  \
        ADD_5(a, v);                                                                               \
        ADD_8(b, v);                                                                               \
        ADD_2(c, v);                                                                               \
        ADD_11(d, v);                                                                              \
        LOAD(v, i7);                                                                               \
        PAIRS(v);                                                                                  \
        ADD_6(a, v);                                                                               \
        ADD_5(b, v);                                                                               \
        ADD_8(c, v);                                                                               \
        ADD_2(d, v);                                                                               \
        PAIRS(a);                                                                                  \
        ADD_6(b, a);                                                                               \
        ADD_5(c, a);                                                                               \
        ADD_8(d, a);                                                                               \
        PAIRS(b);                                                                                  \
        ADD_6(c, b);                                                                               \
        ADD_5(d, b);                                                                               \
        PAIRS(c);                                                                                  \
        ADD_6(d, c);                                                                               \
    } while (0)

/* The products that the first, second, third and fourth of eight rows, in v, add to a to d. */
#define FIRST_ROW()                                                                                \
    do {                                                                                           \
        PAIRS(v);                                                                                  \
        SET_2(a, v);                                                                               \
    } while (0)
#define SECOND_ROW()                                                                               \
    do {                                                                                           \
        PAIRS(v);                                                                                  \
        ADD_4(a, v);                                                                               \
        SET_2(b, v);                                                                               \
    } while (0)
#define THIRD_ROW()                                                                                \
    do {                                                                                           \
        PAIRS(v);                                                                                  \
        ADD_2(a, v);                                                                               \
        ADD_4(b, v);                                                                               \
        SET_2(c, v);                                                                               \
    } while (0)
#define FOURTH_ROW()                                                                               \
    do {                                                                                           \
        PAIRS(v);                                                                                  \
        ADD_11(a, v);                                                                              \
        ADD_2(b, v);                                                                               \
        ADD_4(c, v);                                                                               \
        SET_2(d, v);                                                                               \
    } while (0)

void photon256_permute(photon256_state *x)
{
    /* Bits of RC of the coming round plus IC of row 4, in the first cell of a slice. In memory,
     * since the steps take all registers. */
    volatile uint8_t constant[4] = {0, 1, 1, 1};
    ROW(a);
    ROW(b);
    ROW(c);
    ROW(d);
    ROW(v);
    ROW_PAIRS(a);
    ROW_PAIRS(b);
    ROW_PAIRS(c);
    ROW_PAIRS(v);

    KEEP_POINTER(x);
    LOAD(a, 4);
    LOAD(b, 5);
    LOAD(c, 6);
    LOAD(d, 7);
    for (;;) {
        uint8_t rc0 = constant[0], rc1 = constant[1], rc2 = constant[2], rc3 = constant[3];

        if ((rc0 & rc1 & rc3) > rc2) { /* RC is 4, the thirteenth value */
            break;
        }
        SUBSTITUTE(a, 4);
        KEEP_POINTER(x);
        FLIP(rc0);
        STORE(a, 4);
        SUBSTITUTE(b, 5);
        FLIP(rc1);
        STORE(b, 5);
        SUBSTITUTE(c, 6);
        FLIP(rc2);
        STORE(c, 6);
        SUBSTITUTE(d, 7);
        STORE(d, 7);
        FLIP(rc3);
        KEEP_POINTER(x);
        LOAD(v, 0);
        SUBSTITUTE(v, 0);
        FIRST_ROW();
        FLIP(rc0);
        LOAD(v, 1);
        SUBSTITUTE(v, 1);
        SECOND_ROW();
        FLIP(rc1);
        LOAD(v, 2);
        SUBSTITUTE(v, 2);
        THIRD_ROW();
        FLIP(rc2);
        LOAD(v, 3);
        SUBSTITUTE(v, 3);
        /* RC is a shift register whose new bit is the complement of the sum of its upper two. The
         * lower three bits are complemented already; the fourth is complemented here. */
        constant[0] = rc3 ^ rc2 ^ 1;
        constant[1] = rc0;
        constant[2] = rc1;
        constant[3] = rc2;
        FOURTH_ROW();
        FINISH_STEPS(4, 5, 6, 7);
        KEEP_POINTER(x);
        STORE(a, 0);
        STORE(b, 1);
        STORE(c, 2);
        STORE(d, 3);
        KEEP_POINTER(x);
        LOAD(v, 4);
        FIRST_ROW();
        LOAD(v, 5);
        SECOND_ROW();
        LOAD(v, 6);
        THIRD_ROW();
        LOAD(v, 7);
        FOURTH_ROW();
        FINISH_STEPS(0, 1, 2, 3);
        KEEP_POINTER(x);
    }
    STORE(a, 4);
    STORE(b, 5);
    STORE(c, 6);
    STORE(d, 7);
}
