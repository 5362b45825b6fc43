/*
 * Read before each source of a package: with a header before them, no precompiled one takes the
 * place of the package's own. `#pragma GCC dependency` asks whether a file is on the machine that
 * compiles, and which of two is newer (GCC manual, section "Pragmas" of the C preprocessor).
 */
#pragma GCC poison dependency
