"""Searching compiler flags for one implementation on one board."""
