"""Builds what is published: source distributions and wheels."""
