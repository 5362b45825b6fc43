"""Compares two sets of measurements: reads them, and pairs their rows.

The arithmetic is in :mod:`pennyweight.analysis.comparison`.
"""
