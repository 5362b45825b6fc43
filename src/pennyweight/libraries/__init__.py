"""Libraries as their users get them: at pinned versions out of package registries, not vendored.

A file of `libraries/` names a package, its version and digest, which of its files make up an
implementation, and an adapter of ours. What is fetched is laid out as a tree of packages like
anybody's (api.h, adapter, manifest) in the user's cache; from there on nothing knows of libraries.
"""

from __future__ import annotations

from pennyweight.catalogue import Catalogue, Implementation
from pennyweight.libraries.naming import PREFIX, UnobtainableError

__all__ = ["PREFIX", "UnobtainableError", "find"]


def find(text: str, catalogue: Catalogue) -> list[Implementation]:
    """What `text` names: a library, or whatever :meth:`Catalogue.find` finds.

    `library:NAME` is a library, which is downloaded the first time, and so is the file of one
    (`NAME.toml`). Raises `UserError`.
    """
    if not (text.startswith(PREFIX) or text.endswith(".toml")):
        return catalogue.find(text)
    from pennyweight.libraries.tree import implementations  # rarely needed, and slow to import

    return implementations(text, catalogue.algorithms)
