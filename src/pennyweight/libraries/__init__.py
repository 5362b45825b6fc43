"""Libraries as their users get them: at pinned versions out of package registries, not vendored.

A file of `libraries/` names a package, its version and digest, which of its files make up an
implementation, and an adapter of ours. What is fetched is laid out as a tree of packages like
anybody's (api.h, adapter, manifest) in the user's cache; from there on nothing knows of libraries.
"""

from __future__ import annotations

from pennyweight.model import UserError

PREFIX = "library:"
"""How a library is named where implementations are: `library:mbedtls`."""


class UnobtainableError(UserError):
    """A library's package cannot be had now, or is another than its file says; the rest can."""
