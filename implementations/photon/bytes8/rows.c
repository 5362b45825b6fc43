/*
 * PHOTON-256: a row of cells to a row of slices and back, in bytes.
 *
 * References: "PHOTON-Beetle" (2021), chapter 2 (see photon256.h).
 *
 * In a row of cells, bit p of cell j is bit 4 j + p; in a row of slices, it is bit 8 p + j. Each
 * layer exchanges a bit of that number that selects the byte with one that selects the place in it.
 * After the three of them, the slices are in the order 0, 2, 1, 3.
 */
#include "photon256.h"

#include "exchange8.h"

/* The bytes of a row: a to d, less and more significant ones. */
typedef union {
    uint32_t word;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    struct {
        uint8_t d, c, b, a;
    } bytes;
#else
    struct {
        uint8_t a, b, c, d;
    } bytes;
#endif
} photon256_row;

uint32_t photon256_to_row(uint32_t x)
{
    photon256_row row;
    uint8_t a, b, c, d;

    row.word = x;
    a = row.bytes.a;
    b = row.bytes.b;
    c = row.bytes.c;
    d = row.bytes.d;
    EXCHANGE_HALVES(a, c);
    EXCHANGE_HALVES(b, d);
    EXCHANGE(a, b, 2, 0x33);
    EXCHANGE(c, d, 2, 0x33);
    EXCHANGE(a, c, 1, 0x55);
    EXCHANGE(b, d, 1, 0x55);
    row.bytes.a = a;
    row.bytes.b = c;
    row.bytes.c = b;
    row.bytes.d = d;
    return row.word;
}

uint32_t photon256_from_row(uint32_t x)
{
    photon256_row row;
    uint8_t a, b, c, d;

    row.word = x;
    a = row.bytes.a;
    c = row.bytes.b;
    b = row.bytes.c;
    d = row.bytes.d;
    EXCHANGE(a, c, 1, 0x55);
    EXCHANGE(b, d, 1, 0x55);
    EXCHANGE(a, b, 2, 0x33);
    EXCHANGE(c, d, 2, 0x33);
    EXCHANGE_HALVES(a, c);
    EXCHANGE_HALVES(b, d);
    row.bytes.a = a;
    row.bytes.b = b;
    row.bytes.c = c;
    row.bytes.d = d;
    return row.word;
}
