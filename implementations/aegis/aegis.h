/*
 * The interface between AEGIS-128L and a representation of AES's round.
 *
 * References: H. Wu, B. Preneel, "AEGIS: A Fast Authenticated Encryption Algorithm (v1.1)" (2016).
 *
 * The eight blocks S_0 to S_7 of the state are four pairs, S_i with S_i+4 (i from 0 to 3), each in
 * the two lanes of one object: the update treats all pairs alike, a pair of message blocks goes to
 * pair 0, and the key stream of two blocks is also computed by lanes. "pair.h" is the
 * representation that the implementation chose: aegis_unit, an unsigned integer, and AEGIS_UNITS,
 * how many of them a pair has.
 */
#ifndef PENNYWEIGHT_AEGIS_H
#define PENNYWEIGHT_AEGIS_H

#include <stdint.h>

#include "pair.h"

typedef union {
    aegis_unit unit[AEGIS_UNITS];
    uint8_t byte[32];
} aegis_pair;

/* Converts two blocks, the first in the first 16 bytes, to a pair. */
void aegis_pack(aegis_pair *pair);

/* The inverse. */
void aegis_unpack(aegis_pair *pair);

/* sum += AESRound(from, 0), of both blocks. */
void aegis_round(aegis_pair *sum, const aegis_pair *from);

/* Exchanges the blocks of a pair. */
void aegis_swap(aegis_pair *pair);

#endif
