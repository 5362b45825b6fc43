/*
 * How COFB processes bytes.
 *
 * References: S. Banik et al., "GIFT-COFB v1.1" (2021), chapter 2.
 */
#ifndef PENNYWEIGHT_COFB_DIRECTION_H
#define PENNYWEIGHT_COFB_DIRECTION_H

enum {
    COFB_ABSORB,  /* they go into the next block */
    COFB_ENCRYPT, /* the same, and with the last block they are the output */
    COFB_DECRYPT, /* with the last block they are the output, which goes into the next block */
};

#endif
