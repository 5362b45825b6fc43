/*
 * PHOTON-256 as in ORANGE's submitted reference code (see submitted/photon.c), in 32-bit words.
 *
 * References: B. Chakraborty, M. Nandi, "ORANGE" (submission to NIST's lightweight cryptography
 * project, round 2, 2019), Implementations/crypto_aead/orangezestv1/ref/photon.h.
 */
#define PHOTON256_EXCHANGES_BYTES
#include "../../photon/cells32/permute.c"
