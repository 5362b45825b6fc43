/*
 * Functions that gcc calls on an LX106 and that the libgcc of Debian's gcc-xtensa-lx106 lacks:
 * 64-bit products and divisions. The core multiplies 16 by 16 bits to 32 (MUL16U) and computes the
 * low half of a 32-by-32-bit product (MULL); it has no division.
 *
 * References: GCC internals, "Routines for integer arithmetic" (names and meanings); Warren,
 * Hacker's Delight, chapters 8 (product from halves) and 9 (shift and subtract).
 */
#pragma GCC optimize("O2")

#include <stdint.h>

uint64_t __umulsidi3(uint32_t a, uint32_t b);
int64_t __mulsidi3(int32_t a, int32_t b);
int64_t __muldi3(int64_t a, int64_t b);
uint32_t __udivsi3(uint32_t n, uint32_t d);
uint32_t __umodsi3(uint32_t n, uint32_t d);
int32_t __divsi3(int32_t n, int32_t d);
int32_t __modsi3(int32_t n, int32_t d);
uint64_t __udivdi3(uint64_t n, uint64_t d);
uint64_t __umoddi3(uint64_t n, uint64_t d);
int64_t __divdi3(int64_t n, int64_t d);
int64_t __moddi3(int64_t n, int64_t d);

static inline uint32_t mul16(uint32_t a, uint32_t b)
{
    return (uint32_t)(uint16_t)a * (uint16_t)b;
}

uint64_t __umulsidi3(uint32_t a, uint32_t b)
{
    uint32_t low = mul16(a, b), high = mul16(a >> 16, b >> 16);
    uint32_t middle = mul16(a >> 16, b) + (low >> 16);
    uint32_t other = mul16(a, b >> 16) + (uint16_t)middle;
    high += (middle >> 16) + (other >> 16);
    return (uint64_t)high << 32 | other << 16 | (uint16_t)low;
}

int64_t __mulsidi3(int32_t a, int32_t b)
{
    uint64_t product = __umulsidi3((uint32_t)a, (uint32_t)b);
    uint32_t high = (uint32_t)(product >> 32);
    high -= (a < 0 ? (uint32_t)b : 0) + (b < 0 ? (uint32_t)a : 0);
    return (int64_t)((uint64_t)high << 32 | (uint32_t)product);
}

int64_t __muldi3(int64_t a, int64_t b)
{
    uint32_t a0 = (uint32_t)a, a1 = (uint32_t)((uint64_t)a >> 32);
    uint32_t b0 = (uint32_t)b, b1 = (uint32_t)((uint64_t)b >> 32);
    uint64_t product = __umulsidi3(a0, b0);
    uint32_t high = (uint32_t)(product >> 32) + a0 * b1 + a1 * b0;
    return (int64_t)((uint64_t)high << 32 | (uint32_t)product);
}

/* Quotient in the low half, remainder in the high half. Division by zero gives all ones. */
static inline uint64_t divide32(uint32_t n, uint32_t d)
{
    uint32_t quotient = 0;
    if (d == 0) {
        return (uint64_t)n << 32 | UINT32_MAX;
    }
    if (n >= d) {
        int shift = __builtin_clz(d) - __builtin_clz(n);
        d <<= shift;
        for (; shift >= 0; shift--) {
            quotient <<= 1;
            if (n >= d) {
                n -= d;
                quotient |= 1;
            }
            d >>= 1;
        }
    }
    return (uint64_t)n << 32 | quotient;
}

uint32_t __udivsi3(uint32_t n, uint32_t d)
{
    return (uint32_t)divide32(n, d);
}

uint32_t __umodsi3(uint32_t n, uint32_t d)
{
    return (uint32_t)(divide32(n, d) >> 32);
}

static inline uint32_t magnitude32(int32_t value)
{
    return value < 0 ? -(uint32_t)value : (uint32_t)value;
}

int32_t __divsi3(int32_t n, int32_t d)
{
    uint32_t quotient = (uint32_t)divide32(magnitude32(n), magnitude32(d));
    return (int32_t)((n ^ d) < 0 ? -quotient : quotient);
}

int32_t __modsi3(int32_t n, int32_t d)
{
    uint32_t rest = (uint32_t)(divide32(magnitude32(n), magnitude32(d)) >> 32);
    return (int32_t)(n < 0 ? -rest : rest);
}

static inline uint64_t divide64(uint64_t n, uint64_t d, uint64_t *rest)
{
    uint64_t quotient = 0, bit = 1;
    *rest = n;
    if (d == 0) {
        return UINT64_MAX;
    }
    while (d <= n >> 1) {
        d <<= 1;
        bit <<= 1;
    }
    for (; bit != 0; bit >>= 1, d >>= 1) {
        if (n >= d) {
            n -= d;
            quotient |= bit;
        }
    }
    *rest = n;
    return quotient;
}

uint64_t __udivdi3(uint64_t n, uint64_t d)
{
    uint64_t rest;
    return divide64(n, d, &rest);
}

uint64_t __umoddi3(uint64_t n, uint64_t d)
{
    uint64_t rest;
    divide64(n, d, &rest);
    return rest;
}

static inline uint64_t magnitude64(int64_t value)
{
    return value < 0 ? -(uint64_t)value : (uint64_t)value;
}

int64_t __divdi3(int64_t n, int64_t d)
{
    uint64_t rest, quotient = divide64(magnitude64(n), magnitude64(d), &rest);
    return (int64_t)((n ^ d) < 0 ? -quotient : quotient);
}

int64_t __moddi3(int64_t n, int64_t d)
{
    uint64_t rest;
    divide64(magnitude64(n), magnitude64(d), &rest);
    return (int64_t)(n < 0 ? -rest : rest);
}
