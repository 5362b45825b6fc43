/*
 * Round constants of Saturnin, for the domains 1 to 5 of 10 super-rounds and 7 and 8 of 16.
 *
 * References: A. Canteaut, S. Duval, G. Leurent, M. Naya-Plasencia, L. Perrin, T. Pornin, A.
 * Schrottenloher, "Saturnin" (submission to NIST's lightweight cryptography project, round 2,
 * 2019), section 2.
 */
#ifndef PENNYWEIGHT_SATURNIN_CONSTANTS_H
#define PENNYWEIGHT_SATURNIN_CONSTANTS_H

#include <stdint.h>

#include "flash.h"
#include "inline.h"

/* clang-format off */
static const uint32_t constants_10[50] IN_FLASH = {
    0x4eb026c2, 0x90595303, 0xaa8fe632, 0xfe928a92, 0x4115a419, 0x93539532, 0x5db1cc4e,
    0x541515ca, 0xbd1f55a8, 0x5a6e1a0d, 0x4e4526b5, 0xa3565ff0, 0x0f8f20d8, 0x0b54bee1,
    0x7d1a6c9d, 0x17a6280a, 0xaa46c986, 0xc1199062, 0x182c5cde, 0xa00d53fe, 0x4e162698,
    0xb2535ba1, 0x6c8f9d65, 0x5816ad30, 0x691fd4fa, 0x6bf5bcf9, 0xf8eb3525, 0xb21decfa,
    0x7b3da417, 0xf62c94b4, 0x4faf265b, 0xc5484616, 0x45dcad21, 0xe08bd607, 0x0504fdb8,
    0x1e1f5257, 0x45fbc216, 0xeb529b1f, 0x52194e32, 0x5498c018, 0x4ffc2676, 0xd44d4247,
    0x26dc109c, 0xb3c9c5d6, 0x110145df, 0x624cc6a4, 0x17563eb5, 0x9856e787, 0x3108b6fb,
    0x02b90752,
};
static const uint32_t constants_16[32] IN_FLASH = {
    0x3fba180c, 0x563ab9ab, 0x125ea5ef, 0x859da26c, 0xb8cf779b, 0x7d4de793, 0x07efb49f,
    0x8d525306, 0x1e08e6ab, 0x41729f87, 0x8c4aef0a, 0x4aa0c9a7, 0xd93a95ef, 0xbb00d2af,
    0xb62c5bf0, 0x386d94d8, 0x3c9b19a7, 0xa9098694, 0x23f878da, 0xa7b647d3, 0x74fc9d78,
    0xeacaae11, 0x2f31a677, 0x4cc8c054, 0x2f51ca05, 0x5268f195, 0x4f5b8a2b, 0xf614b4ac,
    0xf1d95401, 0x764d2568, 0x6a493611, 0x8eef9c3e,
};
/* clang-format on */

/* The constants of one domain, one for each super-round. */
ALWAYS_INLINE const uint32_t *constants_of(uint8_t rounds, uint8_t domain)
{
    return rounds == 10 ? constants_10 + 10 * (domain - 1) : constants_16 + 16 * (domain - 7);
}

#endif
