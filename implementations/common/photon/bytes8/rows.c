/*
 * PHOTON-256: a row of cells to a row of slices and back, on an AVR.
 *
 * References: "PHOTON-Beetle" (2021), chapter 2 (see photon256.h).
 */
#include "photon256.h"

#if defined(__AVR__)

/* Moves a bit from below out of `from` and from above into `to`. */
#define MOVE(from, to) "lsr " from "\n\tror " to "\n\t"

uint32_t photon256_to_row(uint32_t cells)
{
    uint32_t row = 0;

    for (uint8_t i = 4; i != 0; i--) {
        __asm__(MOVE("%A1", "%A0") MOVE("%A1", "%B0") MOVE("%A1", "%C0") MOVE("%A1", "%D0")
                    MOVE("%A1", "%A0") MOVE("%A1", "%B0") MOVE("%A1", "%C0") MOVE("%A1", "%D0")
                : "+r"(row), "+r"(cells));
        cells >>= 8;
    }
    return row;
}

uint32_t photon256_from_row(uint32_t row)
{
    uint32_t cells = 0;

    for (uint8_t i = 4; i != 0; i--) {
        cells >>= 8;
        __asm__(MOVE("%A1", "%D0") MOVE("%B1", "%D0") MOVE("%C1", "%D0") MOVE("%D1", "%D0")
                    MOVE("%A1", "%D0") MOVE("%B1", "%D0") MOVE("%C1", "%D0") MOVE("%D1", "%D0")
                : "+r"(cells), "+r"(row));
    }
    return cells;
}

#else

#include "../words32/rows.c"

#endif
