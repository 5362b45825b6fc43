/*
 * How PHOTON-Beetle's state processes bytes.
 *
 * References: "PHOTON-Beetle" (2021), chapter 3 (see aead_state.h).
 */
#ifndef PENNYWEIGHT_PHOTON_BEETLE_DIRECTION_H
#define PENNYWEIGHT_PHOTON_BEETLE_DIRECTION_H

enum beetle_direction {
    BEETLE_ABSORB,  /* they are added to the state */
    BEETLE_ENCRYPT, /* the same, and they are encrypted */
    BEETLE_DECRYPT, /* they are decrypted, and the result is added */
};

#endif
