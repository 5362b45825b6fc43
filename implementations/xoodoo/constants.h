/*
 * The round constants of Xoodoo[12], for the rounds -11 to 0.
 *
 * References: J. Daemen et al., "Xoodyak, a lightweight cryptographic scheme" (v2, 2021), the
 * permutation Xoodoo.
 */
#ifndef PENNYWEIGHT_XOODOO_CONSTANTS_H
#define PENNYWEIGHT_XOODOO_CONSTANTS_H

#define XOODOO_CONSTANTS                                                                           \
    0x0058, 0x0038, 0x03c0, 0x00d0, 0x0120, 0x0014, 0x0060, 0x002c, 0x0380, 0x00f0, 0x01a0, 0x0012

#endif
