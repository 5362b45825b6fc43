/*
 * Multiplication of a row by Pyjamask's circulant matrices, in a loop.
 *
 * References: D. Goudarzi, J. Jean, S. Kölbl, T. Peyrin, M. Rivain, Y. Sasaki, S. M. Sim, "Pyjamask
 * v1.0" (submission to NIST's lightweight cryptography project, round 2, 2019), section 2, and
 * its appendix for the inverses.
 *
 * The product by the matrix whose first row is c is the sum of the row rotated by i + 1 for every
 * bit i of c.
 */
#ifndef PENNYWEIGHT_PYJAMASK_MATRICES_H
#define PENNYWEIGHT_PYJAMASK_MATRICES_H

#include <stdint.h>

#include "rotate.h"

/* The product of the row `x` by the matrix of `c`, a public constant. */
static uint32_t multiply(uint32_t x, uint32_t c)
{
    uint32_t sum = 0;

    do {
        x = rotl32(x, 1);
        if (c & 1) {
            sum ^= x;
        }
        c >>= 1;
    } while (c != 0);
    return sum;
}

#define multiply_m0(x) multiply((x), UINT32_C(0xa3861085))
#define multiply_m1(x) multiply((x), UINT32_C(0x63417021))
#define multiply_m2(x) multiply((x), UINT32_C(0x692cf280))
#define multiply_m3(x) multiply((x), UINT32_C(0x48a54813))
#define multiply_mk(x) multiply((x), UINT32_C(0xb881b9ca))
#define multiply_inverse_m0(x) multiply((x), UINT32_C(0x2037a121))
#define multiply_inverse_m1(x) multiply((x), UINT32_C(0x108ff2a0))
#define multiply_inverse_m2(x) multiply((x), UINT32_C(0x9054d8c0))
#define multiply_inverse_m3(x) multiply((x), UINT32_C(0x3354b117))

#endif
