"""Third-party masked packages with the number of shares that a request asks for."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress

from pennyweight.catalogue.implementation import Implementation
from pennyweight.catalogue.sharing import OPTION, unmasked, with_shares


def shared(
    implementations: Sequence[Implementation], given: str | int | None
) -> list[Implementation]:
    """The implementations with a number of shares. Those without masks next to them are excluded,
    which a line on standard error states. Raises `UserError`.
    """
    found = with_shares(implementations, given)
    if given is not None:
        without = [each.id for each in unmasked(implementations)]
        if without and sys.stderr is not None:
            have = "has no masks and is" if len(without) == 1 else "have no masks and are"
            with suppress(OSError):
                print(
                    f"pennyweight: {OPTION}: {', '.join(without)} {have} excluded", file=sys.stderr
                )
    return found
