/*
 * PHOTON-256 on the state of the specification, in 32-bit words: rows of cells become rows of
 * slices for the rounds.
 *
 * References: "PHOTON-Beetle" (2021), chapter 2 (see photon256.h).
 */
#include "photon256.h"

#include "../words32/rounds.h"
#include "rows.h"

void photon256_permute(photon256_state *state)
{
    for (uint8_t i = 0; i < PHOTON256_ROWS; i++) {
        state->rows[i] = photon256_to_row(state->rows[i]);
    }
    photon256_rounds(state->rows);
    for (uint8_t i = 0; i < PHOTON256_ROWS; i++) {
        state->rows[i] = photon256_from_row(state->rows[i]);
    }
}
