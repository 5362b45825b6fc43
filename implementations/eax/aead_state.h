/*
 * The state of AES-EAX between the calls of the incremental API.
 *
 * References: M. Bellare, P. Rogaway, D. Wagner, "The EAX Mode of Operation", FSE 2004; same
 * names.
 */
#ifndef PENNYWEIGHT_EAX_AEAD_STATE_H
#define PENNYWEIGHT_EAX_AEAD_STATE_H

#include <stdint.h>

#include "aes.h"
#include "pennyweight/aead.h"

struct aead_state {
    aes_key cipher;      /* K */
    uint32_t blocks[8];  /* the current OMAC, then the last block of key stream */
    uint32_t counter[4]; /* N + L + B; after the header the counter, at first OMAC^0(N) */
    uint32_t tag[4];     /* after the header, OMAC^0(N) + OMAC^1(H); the tag once finalized */
    uint32_t b[4];       /* B = 2 L */
    uint8_t waiting;     /* E_K must still be applied to the OMAC */
    uint8_t partial;     /* its last block was padded */
    uint8_t message;     /* the header has ended */
};

#endif
