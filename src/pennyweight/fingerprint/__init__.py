"""Digests of code that ignore its comments and formatting.

`python_code` hashes the definitions of a package that a function reaches, `own_code` those of this
package, and `c_source` the text of C without its comments. None of them changes with a docstring, a
comment or the name of a module.
"""
