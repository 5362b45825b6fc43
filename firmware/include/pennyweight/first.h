/*
 * Included before each source of a package, so that no precompiled header replaces the package's
 * own. `#pragma GCC dependency` tests whether a file exists on the machine that compiles, and which
 * of two is newer (GCC manual, section "Pragmas" of the C preprocessor).
 */
#pragma GCC poison dependency
