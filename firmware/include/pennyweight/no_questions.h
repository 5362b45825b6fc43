/*
 * Included before each source of a package, so that no source can test, even through macros,
 * whether a file exists on the machine that compiles it. System headers that do so are
 * included first: newlib's <sys/cdefs.h>, which most of its headers include, and one of the
 * C++ library.
 */
#pragma GCC system_header
#ifndef __ASSEMBLER__
#ifdef __arm__
#if __has_include(<sys/cdefs.h>)
#include <sys/cdefs.h>
#endif
#endif
#ifdef __cplusplus
#if __has_include(<cstddef>)
#include <cstddef>
#endif
#endif
#endif
#pragma GCC poison __has_include __has_include__ __has_include_next __has_include_next__
#pragma GCC poison __has_embed __has_embed__
