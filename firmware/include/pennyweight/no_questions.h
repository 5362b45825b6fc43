/*
 * Read before each source of a package: whether a file is on the machine that compiles is nothing
 * that a source may ask, whatever its macros make of the words.
 */
#pragma GCC system_header
#pragma GCC poison __has_include __has_include__ __has_include_next __has_include_next__
#pragma GCC poison __has_embed __has_embed__
