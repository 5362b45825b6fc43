"""How a library is named, and the error of one whose package is not available."""

from __future__ import annotations

from pennyweight.model import UserError

PREFIX = "library:"
"""How a library is named where implementations are: `library:mbedtls`."""


class UnobtainableError(UserError):
    """A library's package cannot be had now, or is another than its file says; the rest can."""
