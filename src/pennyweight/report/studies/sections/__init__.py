"""The analyses on a study's page, one module each."""
