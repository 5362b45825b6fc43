/*
 * Makes or avoids a call for speed or size, whatever the compiler would do.
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
