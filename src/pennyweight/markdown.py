"""Writes tables in Markdown."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence


def code(text: str) -> str:
    """Text in one line that is never markup, a link or a mention.

    >>> print(code("@all ![x](y)"), code("a`b"))
    `@all ![x](y)` ``a`b``
    """
    line = " ".join(text.split())
    longest = max(map(len, re.findall("`+", line)), default=0)
    fence = "`" * (longest + 1)
    blank = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{fence}{blank}{line}{blank}{fence}"


def table(head: Sequence[str], rows: Iterable[Sequence[str]], numbers: Collection[int] = ()) -> str:
    r"""A table without a newline at its end; the columns at the positions `numbers` are aligned to
    the right.

    >>> print(table(("board", "cycles"), [("a|b", "7")], numbers=[1]))
    | board | cycles |
    | --- | ---: |
    | a\|b | 7 |
    """
    rule = ["---:" if position in numbers else "---" for position in range(len(head))]
    escaped = ([cell.replace("|", "\\|") for cell in row] for row in rows)
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, rule, *escaped))
