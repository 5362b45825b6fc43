/*
 * How Schwaemm processes bytes.
 *
 * References: C. Beierle et al., "Schwaemm and Esch" (v1.2, 2021), section 2.3.
 */
#ifndef PENNYWEIGHT_SCHWAEMM_DIRECTION_H
#define PENNYWEIGHT_SCHWAEMM_DIRECTION_H

enum {
    SCHWAEMM_ABSORB,  /* they enter the state */
    SCHWAEMM_ENCRYPT, /* the same, and with S_L they are the output */
    SCHWAEMM_DECRYPT, /* with S_L they are the output, which goes into the state */
};

#endif
