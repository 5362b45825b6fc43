"""The version of this package, as results and archives record it."""

__version__ = "0.1.0"
