"""`--primitives`: ours against published counts, primitive by primitive."""
