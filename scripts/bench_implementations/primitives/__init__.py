"""`--primitives`: bundled implementations against published counts, primitive by primitive."""
