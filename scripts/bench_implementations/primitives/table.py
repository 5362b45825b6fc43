"""The table of `--primitives`, as text or Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from scripts.bench_implementations.best.tables import marked, titled
from scripts.bench_implementations.primitives.data import Published
from scripts.bench_implementations.primitives.measuring import Compared

_HEAD = ("primitive", "board", "published", "bundled", "ratio", "source")


def table(
    rows: Sequence[Compared],
    published: Published,
    titles: Mapping[str, str],
    in_markdown: bool,
) -> list[str]:
    """A row for each count, and the numbered sources."""
    used = dict.fromkeys(row.count.source for row in rows)
    numbers = {name: number for number, name in enumerate(used, 1)}
    cells = [
        (
            row.primitive.title + (" (T)" * (not row.primitive.constant_time)),
            titles[row.count.board],
            _cycles(row.count.cycles),
            _cycles(row.bundled),
            marked(row.ratio, row.misses, in_markdown),
            f"[{numbers[row.count.source]}]",
        )
        for row in rows
    ]
    lines = titled("Primitives against published counts", _HEAD, cells, in_markdown)
    lines += ["", f"{_above(rows)} of {len(rows)} ratios are above their targets.", ""]
    for name, number in numbers.items():
        source = published.source[name]
        how = ": its code, measured on the simulated board" if source.measured else ""
        lines.append(f"{number}. {source.text}{how}")
    return lines


def _above(rows: Iterable[Compared]) -> int:
    return sum(row.misses for row in rows)


def _cycles(value: float) -> str:
    return f"{value:,.1f}" if value < 1000 and value % 1 else f"{value:,.0f}"
