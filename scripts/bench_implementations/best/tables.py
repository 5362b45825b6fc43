"""The tables of `--best` and `--small`, as text or Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from scripts.bench_implementations.best.results import LENGTHS, Side
from scripts.bench_implementations.best.rows import CONSTANT, TABLES, Match, Means, Row
from scripts.bench_implementations.best.sizes import SMALLEST, Size

from pennyweight import markdown

_CALLS = ("enc or hash", "dec")
_LENGTHS = " ".join(map(str, LENGTHS))
_HEAD = (
    "algorithm",
    *(f"{call} {_LENGTHS}" for call in _CALLS),
    "bundled",
    "rival",
    "rival's timing",
)
_SMALL_HEAD = ("algorithm", "ratio", "bytes", "bundled", "bytes", "rival", "rival's timing")
_NONE = "–"


def best(
    rows: Sequence[Row], means: Iterable[Means], titles: Mapping[str, str], in_markdown: bool
) -> list[str]:
    """For each board a table of ratios, its geometric means, and what misses its target."""
    lines: list[str] = []
    for mean in means:
        here = [row for row in rows if row.board == mean.board]
        cells = [_cells(row, in_markdown) for row in here]
        lines += titled(titles[mean.board], _HEAD, cells, in_markdown)
        lines += ["", _mean_line(mean), *_misses(here)]
    return lines


def missed(rows: Iterable[Row], means: Iterable[Means]) -> int:
    """Number of ratios and means above their targets."""
    ratios = sum(match.misses for row in rows for match in row.matches)
    return ratios + sum(mean.misses for mean in means)


def alone(rows: Iterable[Row], own: Side, boards: Iterable[str]) -> list[str]:
    """A line for each board: our algorithms that no rival runs there."""
    compared = {(row.algorithm, row.board) for row in rows}
    lines = []
    for board in boards:
        mine = {each.algorithm for each in own.results if each.board == board}
        names = sorted(name for name in mine if (name, board) not in compared)
        if names:
            lines.append(f"Not compared on {board}, because no rival runs: {', '.join(names)}.")
    return lines


def small(sizes: Sequence[Size], titles: Mapping[str, str], in_markdown: bool) -> list[str]:
    """For each board a table of sizes, and what misses the target."""
    lines: list[str] = []
    for board in dict.fromkeys(size.own.board for size in sizes):
        here = [size for size in sizes if size.own.board == board]
        cells = [
            (
                size.own.algorithm,
                marked(size.ratio, size.misses, in_markdown),
                f"{size.own.size:,}",
                size.own.name,
                f"{size.rival.size:,}",
                size.rival.name,
                _letters([size.timing.letter]),
            )
            for size in here
        ]
        title = f"{titles[board]}: bytes of flash, RAM and stack"
        lines += titled(title, _SMALL_HEAD, cells, in_markdown)
        above = sum(size.misses for size in here)
        lines += ["", f"{above} of {len(here)} ratios are above {SMALLEST:.2f}."]
    return lines


def titled(
    title: str, head: Sequence[str], rows: Sequence[Sequence[str]], in_markdown: bool
) -> list[str]:
    """A table below its title."""
    if in_markdown:
        return ["", f"### {title}", "", markdown.table(head, rows)]
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in (head, *rows)
    ]
    return ["", title, "", *lines]


def _cells(row: Row, in_markdown: bool) -> tuple[str, ...]:
    forward = [match for match in row.matches if match.case.op != "dec"]
    backward = [match for match in row.matches if match.case.op == "dec"]
    return (
        row.algorithm,
        _ratios(forward, in_markdown),
        _ratios(backward, in_markdown),
        _names(match.own.name for match in row.matches),
        _names(match.rival.name for match in row.matches),
        _letters(match.timing.letter for match in row.matches),
    )


def _ratios(matches: Sequence[Match], in_markdown: bool) -> str:
    """One for each length; a dash where the buffers do not fit or the rival is of another kind."""
    by_length = {match.case.m: match for match in matches}
    if not by_length:
        return ""
    if not set(by_length) <= set(LENGTHS):
        return " ".join(marked(each.ratio, each.misses, in_markdown) for each in matches)
    found = (by_length.get(length) for length in LENGTHS)
    cells = (each and marked(each.ratio, each.misses, in_markdown) for each in found)
    return " ".join(cell or _NONE for cell in cells)


def marked(ratio: float, misses: bool, in_markdown: bool) -> str:
    """A ratio with two digits; bold, or with an exclamation mark, if it misses its target."""
    if not misses:
        return f"{ratio:.2f}"
    return f"**{ratio:.2f}**" if in_markdown else f"{ratio:.2f}!"


def _names(names: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(names))


def _letters(letters: Iterable[str]) -> str:
    return _names(letter or "constant" for letter in letters)


def _mean_line(mean: Means) -> str:
    if mean.constant is None:
        return "No constant-time rival runs."
    line = f"Geometric mean against constant-time rivals: {mean.constant:.2f}"
    if mean.target is not None:
        line += f" (target: {mean.target:.2f}, {'missed' if mean.misses else 'met'})"
    return f"{line}; against the fastest of any kind: {mean.any_rival:.2f}."


def _misses(rows: Iterable[Row]) -> list[str]:
    lines = []
    for target, is_constant in ((CONSTANT, True), (TABLES, False)):
        some = [row for row in rows if row.is_constant == is_constant]
        worst = sorted(
            (row.worst for row in some if row.worst.misses), key=lambda match: -match.ratio
        )
        names = [f"{each.own.algorithm} {each.ratio:.2f}" for each in worst]
        if names:
            kind = "constant-time rivals" if is_constant else "other rivals"
            lines.append(f"Above {target:.2f} against {kind}: {', '.join(names)}.")
    return lines
