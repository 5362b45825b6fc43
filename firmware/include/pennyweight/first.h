/*
 * Read before each source of a package that asks for files: with a header before them, no
 * precompiled one takes the place of the package's own.
 */
