/*
 * Included before each source of a package: `#pragma GCC dependency` tests whether a file exists on
 * the machine that compiles, and which of two is newer (GCC manual, section "Pragmas" of the C
 * preprocessor). Packages that use the word for something else are compiled without this header.
 */
#pragma GCC poison dependency
