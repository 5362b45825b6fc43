/*
 * Forces or prevents inlining for speed or size, overriding the compiler.
 *
 * References: the manuals of gcc and clang, function attributes always_inline and noinline.
 */
#ifndef PENNYWEIGHT_UTIL_INLINE_H
#define PENNYWEIGHT_UTIL_INLINE_H

#if defined(__GNUC__)
#define ALWAYS_INLINE static inline __attribute__((always_inline))
#define NEVER_INLINE static __attribute__((noinline))
#else
#define ALWAYS_INLINE static inline
#define NEVER_INLINE static
#endif

#endif
