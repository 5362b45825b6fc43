/*
 * How TinyJAMBU's state processes bytes, four at a time.
 *
 * References: H. Wu, T. Huang, "TinyJAMBU" (Version 2, 2021), sections 3.3.2, 3.3.3 and 3.3.5.
 */
#ifndef PENNYWEIGHT_TINYJAMBU_DIRECTION_H
#define PENNYWEIGHT_TINYJAMBU_DIRECTION_H

#define TINYJAMBU_RATE 4

enum {
    TINYJAMBU_ABSORB,  /* they are added to the state */
    TINYJAMBU_ENCRYPT, /* the same, and with bytes of the state they are the output */
    TINYJAMBU_DECRYPT, /* with bytes of the state they are the output, which is added */
};

#endif
