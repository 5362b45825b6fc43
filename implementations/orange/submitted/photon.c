/*
 * PHOTON-256 as in ORANGE's submitted reference code, which reads the rows for ShiftRows with their
 * first and third byte exchanged.
 *
 * References: B. Chakraborty, M. Nandi, "ORANGE" (submission to NIST's lightweight cryptography
 * project, round 2, 2019), Implementations/crypto_aead/orangezestv1/ref/photon.h.
 */
#define PHOTON256_EXCHANGES_BYTES
#include "../../photon/small/permute.c"
