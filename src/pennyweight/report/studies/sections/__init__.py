"""The analyses that a study's page can show, one module each."""
