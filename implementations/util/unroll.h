/*
 * Loops of a few rounds: unrolled at any level of optimisation (UNROLL), or kept as loops
 * (ROLL).
 *
 * References: GCC manual, "Loop-Specific Pragmas", since GCC 8; clang knows the same pragma.
 * Without the pragma, only speed or size suffers.
 */
#ifndef PENNYWEIGHT_UTIL_UNROLL_H
#define PENNYWEIGHT_UTIL_UNROLL_H

#if defined(__clang__) || (defined(__GNUC__) && __GNUC__ >= 8)
#define UNROLL _Pragma("GCC unroll 16")
#define ROLL _Pragma("GCC unroll 1")
#else
#define UNROLL
#define ROLL
#endif

#endif
