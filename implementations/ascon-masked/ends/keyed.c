/*
 * Initialization and finalization on shares, where the key is used. Between them the state is not
 * shared: an observer of that part learns the state of one message, which does not reveal the
 * key.
 *
 * References: NIST SP 800-232 (2025), section 4.1, algorithms 3 and 4; Ascon v1.2 (2021),
 * section 2.4, algorithm 1; same names. D. Bellizia, O. Bronchain, G. Cassiers, V. Grosso,
 * C. Guo, C. Momin, O. Pereira, T. Peters, F.-X. Standaert, "Mode-Level vs. Implementation-Level
 * Physical Security in Symmetric Cryptography", CRYPTO 2020: protection by levels.
 */
#include "permutation.h"

void ascon_initialize(ascon_state *s, ascon_key *k, const uint8_t *key, const uint8_t *nonce)
{
    masked_state shared;

    masked_set_key(k, key);
    masked_set_state(&shared, k, nonce);
    masked_permute(&shared, ASCON_ROUNDS_A);
    masked_add_key(&shared, k, 24);
    for (unsigned i = 0; i < 5; i++) {
        s->x[i] = masked_combine(&shared.x[i]);
    }
}

void ascon_finalize(ascon_state *s, const ascon_key *k)
{
    uint8_t *tag = (uint8_t *)&s->x[3];
    masked_state shared;

    for (unsigned i = 0; i < 5; i++) {
        shared.x[i] = masked_public(s->x[i]);
    }
    masked_add_key(&shared, k, ASCON_RATE);
    masked_permute(&shared, ASCON_ROUNDS_A);
    masked_add_key(&shared, k, 24);
    masked_output(&shared, 24, tag, 16);
}
