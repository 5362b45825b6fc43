/*
 * PHOTON-Beetle-Hash, for all implementations of the permutation.
 *
 * References: "PHOTON-Beetle" (2021), chapter 3 (see aead_state.h); same names.
 *
 * The first block of the message has 128 bits and is the state's first half; all others have 32.
 */
#include "hash_state.h"

#include "crypto_hash.h"
#include "sponge.h"

const uint16_t hash_state_bytes = sizeof(hash_state);

enum { FIRST_ROWS = 4 };

void hash_init(hash_state *state)
{
    for (uint8_t i = 0; i < PHOTON256_ROWS; i++) {
        state->x.rows[i] = 0;
    }
    state->taken = 0;
    state->rows = 0;
}

/* Processes the collected row. */
static void take_row(hash_state *state)
{
    uint8_t at = state->rows;

    if (at < FIRST_ROWS) {
        state->rows = (uint8_t)(at + 1);
    } else {
        state->rows = FIRST_ROWS + 1;
        photon256_permute(&state->x);
        at = 0;
    }
    beetle_add(&state->x, at, state->row);
    state->taken = 0;
}

void hash_update(hash_state *state, const uint8_t *message, size_t length)
{
    for (; length != 0; length--) {
        state->row[state->taken++] = *message++;
        if (state->taken == sizeof state->row) {
            take_row(state);
        }
    }
}

void hash_final(hash_state *state, uint8_t *digest)
{
    const uint8_t rows = state->rows;
    uint8_t constant = rows == FIRST_ROWS ? 2 : 1;

    if (state->taken != 0 || (rows != 0 && rows < FIRST_ROWS)) {
        constant = rows < FIRST_ROWS ? 1 : 2;
        state->row[state->taken] = 1;
        while (++state->taken < sizeof state->row) {
            state->row[state->taken] = 0;
        }
        take_row(state);
    }
    beetle_add_constant(&state->x, constant);
    photon256_permute(&state->x);
    beetle_output(&state->x, digest);
    photon256_permute(&state->x);
    beetle_output(&state->x, digest + 16);
}

int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long inlen)
{
    hash_state state;

    hash_init(&state);
    hash_update(&state, in, (size_t)inlen);
    hash_final(&state, out);
    return 0;
}
