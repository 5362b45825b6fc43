"""Close matches for an unknown name."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """` did you mean a or b?`, or an empty string if no known name is close to `name`."""
    candidates = sorted(set(known))
    folded = {candidate.casefold(): candidate for candidate in candidates}
    close = [folded[hit] for hit in get_close_matches(name.casefold(), folded, n=3, cutoff=0.6)]
    starting = [
        c for c in candidates if c.casefold().startswith(name.casefold()) and c not in close
    ]
    close = (close + starting)[:3] if name else []
    return f" did you mean {' or '.join(close)}?" if close else ""
