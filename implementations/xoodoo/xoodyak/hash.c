/*
 * Xoodyak's hash: Cyclist in hash mode.
 *
 * References: J. Daemen et al., "Xoodyak, a lightweight cryptographic scheme" (v2, 2021), the mode
 * Cyclist and its use for hashing; same names.
 */
#include "hash_state.h"

#include "api.h"
#include "blocks.h"
#include "crypto_hash.h"

/* R_hash. */
enum { RATE = 16 };

const uint16_t hash_state_bytes = sizeof(hash_state);

/* Initialize(), and Down()'s constant for the first block, whatever its length. */
void hash_init(hash_state *state)
{
    for (uint8_t i = 0; i < XOODOO_BYTES / sizeof(unit); i++) {
        state->s.units[i] = 0;
    }
    state->s.bytes[XOODOO_BYTES - 1] = 1;
    state->taken = 0;
}

/* The padding of Down(), and Up(). */
static void end_block(hash_state *state, uint8_t length)
{
    state->s.bytes[length] ^= 1;
    xoodoo_permute(&state->s);
}

/* Absorb(X). */
void hash_update(hash_state *state, const uint8_t *message, size_t length)
{
    uint8_t taken = state->taken;

    while (length != 0) {
        if (taken == RATE) {
#if XOODYAK_NATIVE_BLOCKS
            /* A block stays pending until its padding: here are the steps between two blocks and
             * before the first. */
            if (length >= RATE) {
                const size_t blocks = length / RATE;

                state->s.bytes[RATE] ^= 1;
                xoodyak_absorb_16(&state->s, NULL, message, blocks);
                state->s.bytes[RATE] ^= 1;
                message += blocks * RATE;
                length -= blocks * RATE;
                continue;
            }
#endif
            end_block(state, RATE);
            taken = 0;
        }
        if (taken == 0 && length >= RATE) {
            xoodoo_take(&state->s, NULL, message, RATE, XOODOO_ABSORB);
            taken = RATE;
            message += RATE;
            length -= RATE;
        } else {
            state->s.bytes[taken++] ^= *message++;
            length--;
        }
    }
    state->taken = taken;
}

/* Squeeze(). */
void hash_final(hash_state *state, uint8_t *digest)
{
    uint8_t length = state->taken;

    for (uint8_t blocks = CRYPTO_BYTES / RATE; blocks != 0; blocks--) {
        end_block(state, length);
        length = 0;
        for (uint8_t i = 0; i < RATE / sizeof(unit); i++) {
            store_unit(digest, state->s.units[i]);
            digest += sizeof(unit);
        }
    }
}

int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long inlen)
{
    hash_state state;

    hash_init(&state);
    hash_update(&state, in, (size_t)inlen);
    hash_final(&state, out);
    return 0;
}
