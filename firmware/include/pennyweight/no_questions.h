/*
 * Read before each source of a package: whether a file is on the machine that compiles is nothing
 * that a source may ask, whatever its macros make of the words. Headers of the compiler's that ask
 * themselves come first: newlib's <sys/cdefs.h>, which most of its headers include, and what all of
 * C++'s library does.
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
#include "first.h"
