"""Libraries from package registries, at pinned versions, without vendoring.

A file of `libraries/` names a package, its version and digest, the files that make up an
implementation, and an adapter. The downloaded package is laid out as a tree of packages (api.h,
adapter, manifest) in the user's cache, and handled like any other from there on.
"""

from __future__ import annotations

from pennyweight.catalogue import Catalogue, Implementation
from pennyweight.libraries.naming import PREFIX, UnobtainableError

__all__ = ["PREFIX", "UnobtainableError", "find"]


def find(text: str, catalogue: Catalogue) -> list[Implementation]:
    """Finds what `text` names: a library, or anything that :meth:`Catalogue.find` finds.

    `library:NAME` and the path of a library file (`NAME.toml`) mean a library, which is downloaded
    on first use. Raises `UserError`.
    """
    if not (text.startswith(PREFIX) or text.endswith(".toml")):
        return catalogue.find(text)
    from pennyweight.libraries.tree import implementations  # rarely needed, and slow to import

    return implementations(text, catalogue.algorithms)
