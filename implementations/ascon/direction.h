/*
 * How Ascon's state processes bytes.
 *
 * References: NIST SP 800-232 (2025), section 4.1; Ascon v1.2 (2021), section 2.4.
 */
#ifndef PENNYWEIGHT_ASCON_DIRECTION_H
#define PENNYWEIGHT_ASCON_DIRECTION_H

enum {
    ASCON_ABSORB,  /* they are added to the state */
    ASCON_ENCRYPT, /* the same, and the sum is the output */
    ASCON_DECRYPT, /* the sum is the output, and they replace the state */
};

#endif
