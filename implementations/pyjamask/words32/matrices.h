/*
 * Multiplication of a row by Pyjamask's circulant matrices, rotation by rotation.
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

/* 0xa3861085 */
static inline uint32_t multiply_m0(uint32_t x)
{
    uint32_t sum = x;

    sum = rotl32(sum, 2) ^ x;
    sum = rotl32(sum, 4) ^ x;
    sum = rotl32(sum, 1) ^ x;
    sum = rotl32(sum, 1) ^ x;
    sum = rotl32(sum, 5) ^ x;
    sum = rotl32(sum, 1) ^ x;
    sum = rotl32(sum, 5) ^ x;
    sum = rotl32(sum, 5) ^ x;
    sum = rotl32(sum, 5) ^ x;
    sum = rotl32(sum, 2) ^ x;
    return rotl32(sum, 1);
}

/* 0x63417021 */
static inline uint32_t multiply_m1(uint32_t x)
{
    uint32_t sum = x;

    sum = rotl32(sum, 1) ^ x;
    sum = rotl32(sum, 4) ^ x;
    sum = rotl32(sum, 1) ^ x;
    sum = rotl32(sum, 2) ^ x;
    sum = rotl32(sum, 6) ^ x;
    sum = rotl32(sum, 2) ^ x;
    sum = rotl32(sum, 1) ^ x;
    sum = rotl32(sum, 1) ^ x;
    sum = rotl32(sum, 7) ^ x;
    sum = rotl32(sum, 5) ^ x;
    return rotl32(sum, 1);
}

/* 0x692cf280 */
static inline uint32_t multiply_m2(uint32_t x)
{
    uint32_t sum = x;

    sum = rotl32(sum, 1) ^ x;
    sum = rotl32(sum, 2) ^ x;
    sum = rotl32(sum, 3) ^ x;
    sum = rotl32(sum, 3) ^ x;
    sum = rotl32(sum, 2) ^ x;
    sum = rotl32(sum, 1) ^ x;
    sum = rotl32(sum, 3) ^ x;
    sum = rotl32(sum, 1) ^ x;
    sum = rotl32(sum, 1) ^ x;
    sum = rotl32(sum, 1) ^ x;
    sum = rotl32(sum, 3) ^ x;
    sum = rotl32(sum, 2) ^ x;
    return rotl32(sum, 8);
}

/* 0x48a54813 */
static inline uint32_t multiply_m3(uint32_t x)
{
    uint32_t sum = x;

    sum = rotl32(sum, 3) ^ x;
    sum = rotl32(sum, 4) ^ x;
    sum = rotl32(sum, 2) ^ x;
    sum = rotl32(sum, 3) ^ x;
    sum = rotl32(sum, 2) ^ x;
    sum = rotl32(sum, 2) ^ x;
    sum = rotl32(sum, 3) ^ x;
    sum = rotl32(sum, 7) ^ x;
    sum = rotl32(sum, 3) ^ x;
    sum = rotl32(sum, 1) ^ x;
    return rotl32(sum, 1);
}

/* 0xb881b9ca */
static inline uint32_t multiply_mk(uint32_t x)
{
    uint32_t sum = x;

    sum = rotl32(sum, 2) ^ x;
    sum = rotl32(sum, 1) ^ x;
    sum = rotl32(sum, 1) ^ x;
    sum = rotl32(sum, 4) ^ x;
    sum = rotl32(sum, 7) ^ x;
    sum = rotl32(sum, 1) ^ x;
    sum = rotl32(sum, 2) ^ x;
    sum = rotl32(sum, 1) ^ x;
    sum = rotl32(sum, 1) ^ x;
    sum = rotl32(sum, 3) ^ x;
    sum = rotl32(sum, 1) ^ x;
    sum = rotl32(sum, 1) ^ x;
    sum = rotl32(sum, 3) ^ x;
    sum = rotl32(sum, 2) ^ x;
    return rotl32(sum, 2);
}

/* 0x2037a121 */
static inline uint32_t multiply_inverse_m0(uint32_t x)
{
    uint32_t sum = x;

    sum = rotl32(sum, 8) ^ x;
    sum = rotl32(sum, 1) ^ x;
    sum = rotl32(sum, 2) ^ x;
    sum = rotl32(sum, 1) ^ x;
    sum = rotl32(sum, 1) ^ x;
    sum = rotl32(sum, 1) ^ x;
    sum = rotl32(sum, 2) ^ x;
    sum = rotl32(sum, 5) ^ x;
    sum = rotl32(sum, 3) ^ x;
    sum = rotl32(sum, 5) ^ x;
    return rotl32(sum, 1);
}

/* 0x108ff2a0 */
static inline uint32_t multiply_inverse_m1(uint32_t x)
{
    uint32_t sum = x;

    sum = rotl32(sum, 5) ^ x;
    sum = rotl32(sum, 4) ^ x;
    sum = rotl32(sum, 1) ^ x;
    sum = rotl32(sum, 1) ^ x;
    sum = rotl32(sum, 1) ^ x;
    sum = rotl32(sum, 1) ^ x;
    sum = rotl32(sum, 1) ^ x;
    sum = rotl32(sum, 1) ^ x;
    sum = rotl32(sum, 1) ^ x;
    sum = rotl32(sum, 3) ^ x;
    sum = rotl32(sum, 2) ^ x;
    sum = rotl32(sum, 2) ^ x;
    return rotl32(sum, 6);
}

/* 0x9054d8c0 */
static inline uint32_t multiply_inverse_m2(uint32_t x)
{
    uint32_t sum = x;

    sum = rotl32(sum, 3) ^ x;
    sum = rotl32(sum, 6) ^ x;
    sum = rotl32(sum, 2) ^ x;
    sum = rotl32(sum, 2) ^ x;
    sum = rotl32(sum, 3) ^ x;
    sum = rotl32(sum, 1) ^ x;
    sum = rotl32(sum, 2) ^ x;
    sum = rotl32(sum, 1) ^ x;
    sum = rotl32(sum, 4) ^ x;
    sum = rotl32(sum, 1) ^ x;
    return rotl32(sum, 7);
}

/* 0x3354b117 */
static inline uint32_t multiply_inverse_m3(uint32_t x)
{
    uint32_t sum = x;

    sum = rotl32(sum, 1) ^ x;
    sum = rotl32(sum, 3) ^ x;
    sum = rotl32(sum, 1) ^ x;
    sum = rotl32(sum, 2) ^ x;
    sum = rotl32(sum, 2) ^ x;
    sum = rotl32(sum, 2) ^ x;
    sum = rotl32(sum, 3) ^ x;
    sum = rotl32(sum, 2) ^ x;
    sum = rotl32(sum, 1) ^ x;
    sum = rotl32(sum, 4) ^ x;
    sum = rotl32(sum, 4) ^ x;
    sum = rotl32(sum, 2) ^ x;
    sum = rotl32(sum, 1) ^ x;
    sum = rotl32(sum, 1) ^ x;
    return rotl32(sum, 1);
}

#endif
