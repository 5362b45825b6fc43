"""Digests of what decides a result, not of how it is worded.

`python_code` hashes the definitions of this package that a function reaches, `c_source` the text
of C without its comments. Neither changes with a docstring, a comment or where a module lies.
"""
