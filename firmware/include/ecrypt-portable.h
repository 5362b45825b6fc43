/*
 * SUPERCOP's interface for packages: the names of eSTREAM's portable header for integers,
 * rotations, and words in memory. All parts here are little-endian; words may have any
 * alignment.
 */
#ifndef ECRYPT_PORTABLE_H
#define ECRYPT_PORTABLE_H

#include <stdint.h>
#include <string.h>

typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;
typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;

#define ECRYPT_LITTLE_ENDIAN

#define U8C(v) ((u8)UINT8_C(v))
#define U16C(v) ((u16)UINT16_C(v))
#define U32C(v) UINT32_C(v)
#define U64C(v) UINT64_C(v)

#define U8V(v) ((u8)(v))
#define U16V(v) ((u16)(v))
#define U32V(v) ((u32)(v))
#define U64V(v) ((u64)(v))

#define ROTL8(v, n) (U8V(U8V(v) << ((n) & 7)) | U8V(U8V(v) >> (-(n) & 7)))
#define ROTL16(v, n) (U16V((u32)U16V(v) << ((n) & 15)) | U16V(U16V(v) >> (-(n) & 15)))
#define ROTL32(v, n) (U32V(U32V(v) << ((n) & 31)) | (U32V(v) >> (-(n) & 31)))
#define ROTL64(v, n) (U64V(U64V(v) << ((n) & 63)) | (U64V(v) >> (-(n) & 63)))
#define ROTR8(v, n) ROTL8(v, 8 - (n))
#define ROTR16(v, n) ROTL16(v, 16 - (n))
#define ROTR32(v, n) ROTL32(v, 32 - (n))
#define ROTR64(v, n) ROTL64(v, 64 - (n))

#define SWAP16(v) ROTL16(v, 8)
#define SWAP32(v) ((ROTL32(v, 8) & U32C(0x00ff00ff)) | (ROTL32(v, 24) & U32C(0xff00ff00)))
#define SWAP64(v) (((u64)SWAP32(U32V(v)) << 32) | (u64)SWAP32(U32V((u64)(v) >> 32)))

#define U16TO16_LITTLE(v) (v)
#define U32TO32_LITTLE(v) (v)
#define U64TO64_LITTLE(v) (v)
#define U16TO16_BIG(v) SWAP16(v)
#define U32TO32_BIG(v) SWAP32(v)
#define U64TO64_BIG(v) SWAP64(v)

#define PENNYWEIGHT_WORD(bits)                                                                     \
    static inline u##bits pennyweight_load##bits(const void *p)                                    \
    {                                                                                              \
        u##bits v;                                                                                 \
        memcpy(&v, p, sizeof v);                                                                   \
        return v;                                                                                  \
    }                                                                                              \
    static inline void pennyweight_store##bits(void *p, u##bits v)                                 \
    {                                                                                              \
        memcpy(p, &v, sizeof v);                                                                   \
    }
PENNYWEIGHT_WORD(16)
PENNYWEIGHT_WORD(32)
PENNYWEIGHT_WORD(64)
#undef PENNYWEIGHT_WORD

#define U8TO16_LITTLE(p) pennyweight_load16(p)
#define U8TO32_LITTLE(p) pennyweight_load32(p)
#define U8TO64_LITTLE(p) pennyweight_load64(p)
#define U8TO16_BIG(p) SWAP16(pennyweight_load16(p))
#define U8TO32_BIG(p) SWAP32(pennyweight_load32(p))
#define U8TO64_BIG(p) SWAP64(pennyweight_load64(p))
#define U16TO8_LITTLE(p, v) pennyweight_store16(p, U16V(v))
#define U32TO8_LITTLE(p, v) pennyweight_store32(p, U32V(v))
#define U64TO8_LITTLE(p, v) pennyweight_store64(p, U64V(v))
#define U16TO8_BIG(p, v) pennyweight_store16(p, SWAP16(v))
#define U32TO8_BIG(p, v) pennyweight_store32(p, SWAP32(v))
#define U64TO8_BIG(p, v) pennyweight_store64(p, SWAP64(v))

#endif
