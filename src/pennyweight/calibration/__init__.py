"""Finds the parameters of a part's memory timing from micro-benchmarks on the part."""
