/*
 * SUPERCOP's interface for packages, for integers (crypto_int64.h and others): words in memory, and
 * single bits, in constant time.
 */
#ifndef PENNYWEIGHT_CRYPTOINT_H
#define PENNYWEIGHT_CRYPTOINT_H

#include <stdint.h>

#define PENNYWEIGHT_CRYPTOINT(type, bits)                                                          \
    static inline type type##_load(const unsigned char *p)                                         \
    {                                                                                              \
        uint##bits##_t v = 0;                                                                      \
        for (int i = bits / 8 - 1; i >= 0; i--)                                                    \
            v = (uint##bits##_t)((uint64_t)v << 8 | p[i]);                                         \
        return (type)v;                                                                            \
    }                                                                                              \
    static inline type type##_load_bigendian(const unsigned char *p)                               \
    {                                                                                              \
        uint##bits##_t v = 0;                                                                      \
        for (int i = 0; i < bits / 8; i++)                                                         \
            v = (uint##bits##_t)((uint64_t)v << 8 | p[i]);                                         \
        return (type)v;                                                                            \
    }                                                                                              \
    static inline void type##_store(unsigned char *p, type v)                                      \
    {                                                                                              \
        for (int i = 0; i < bits / 8; i++)                                                         \
            p[i] = (unsigned char)((uint##bits##_t)v >> 8 * i);                                    \
    }                                                                                              \
    static inline void type##_store_bigendian(unsigned char *p, type v)                            \
    {                                                                                              \
        for (int i = 0; i < bits / 8; i++)                                                         \
            p[bits / 8 - 1 - i] = (unsigned char)((uint##bits##_t)v >> 8 * i);                     \
    }                                                                                              \
    static inline type type##_bottombit_01(type v)                                                 \
    {                                                                                              \
        return (type)(v & 1);                                                                      \
    }                                                                                              \
    static inline type type##_bottombit_mask(type v)                                               \
    {                                                                                              \
        return (type) - (v & 1);                                                                   \
    }                                                                                              \
    static inline type type##_bitmod_01(type v, type place)                                        \
    {                                                                                              \
        return (type)((uint##bits##_t)v >> ((uint##bits##_t)place & (bits - 1)) & 1);              \
    }                                                                                              \
    static inline type type##_bitmod_mask(type v, type place)                                      \
    {                                                                                              \
        return (type) - type##_bitmod_01(v, place);                                                \
    }

#endif
