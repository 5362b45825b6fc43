"""Digests of code that ignore its comments and formatting.

`python_code` hashes the definitions of this package that a function reaches, `c_source` the text of
C without its comments. Neither changes with a docstring, a comment or the name of a module.
"""
