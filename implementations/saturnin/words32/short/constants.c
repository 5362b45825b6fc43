/*
 * Round constants of Saturnin for SATURNIN-Short: domain 6 of 10 super-rounds.
 *
 * References: A. Canteaut, S. Duval, G. Leurent, M. Naya-Plasencia, L. Perrin, T. Pornin, A.
 * Schrottenloher, "Saturnin" (submission to NIST's lightweight cryptography project, round 2,
 * 2019), sections 2.1 and 2.3.
 */
#include "constants.h"

/* clang-format off */
const uint32_t saturnin_constants_short[10] IN_FLASH = {
    0x4f092601, 0xe7424eb4, 0x83dcd676, 0x460ff1a5, 0x2d0e8d5b, 0xe6b97b9c, 0xe0a13b7d,
    0x0d5a622f, 0x943bbf8d, 0xf8da4ea1,
};
/* clang-format on */
