"""All studies, for the public site."""
