"""Checks the English of the repository against a word list."""
