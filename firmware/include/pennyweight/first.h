/* Included before each source of a package, so that no precompiled header replaces its own. */
