"""The names of libraries, and the error for one whose package is not available."""

from __future__ import annotations

from pennyweight.model import UserError

PREFIX = "library:"
"""The prefix of a library's name in place of an implementation: `library:mbedtls`."""


class UnobtainableError(UserError):
    """A library's package is unavailable now, or differs from its file; other libraries may
    work.
    """
