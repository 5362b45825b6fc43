"""The complete table as text, with the exclusions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator

from scripts.bench_implementations.comparison import ALLOWED, FIELDS, Line
from scripts.bench_implementations.measurements import Exclusion

_RATIO, _WIDTH = 6, 20
_LONGEST = 100


def table(lines: Iterable[Line]) -> Iterator[str]:
    """Two lines of headings, and a line for each key."""
    yield f"{'':47}{''.join(f'  {name:{_RATIO + 2 * _WIDTH + 4}}' for name in FIELDS)}".rstrip()
    columns = f"  {'ratio':{_RATIO}}  {'Pennyweight':{_WIDTH}}  {'NIST':{_WIDTH}}"
    yield f"{'algorithm':24} {'board':16} {'flags':5}{columns * len(FIELDS)}".rstrip()
    for line in lines:
        algorithm, board, flags = line.key
        first = f"  {line.among}" if line.among else algorithm
        yield f"{first:24} {board:16} {flags:5}{_cells(line)}".rstrip()


def _cells(line: Line) -> str:
    if not line.bundled:
        return f"  no implementation of {'either side' if not line.rival else 'Pennyweight'} runs !"
    if not line.rival:
        return "  no implementation of NIST runs"
    cells = []
    for name, value in FIELDS.items():
        best, rival, ratio = line.bundled[name], line.rival[name], line.ratio(name) or 0.0
        mark = "!" if ratio > ALLOWED else " "
        sides = (f"{value(each)} {each.name}" for each in (best, rival))
        cells.append(f"  {ratio:5.2f}{mark}{''.join(f'  {side:{_WIDTH}}' for side in sides)}")
    return "".join(cells)


def exclusions(
    side: str, found: Iterable[Exclusion], boards: Collection[str], flags: Collection[str]
) -> Iterator[str]:
    """A line for each reason: the implementations, and where, unless on all boards with all
    flags.
    """
    places: dict[tuple[str, str], dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for each in found:
        places[each.id, _shortened(each.reason)][each.board].add(each.flags)
    alike: dict[tuple[str, str], list[str]] = defaultdict(list)
    for (name, reason), where in places.items():
        named = [_place(board, some, flags) for board, some in where.items() if board]
        everywhere = set(named) == set(boards)
        alike[reason, "" if everywhere or not named else f" [{', '.join(named)}]"].append(name)
    if alike:
        yield f"\nExcluded implementations of {side}:"
    for (reason, at), names in sorted(alike.items()):
        yield f"  {', '.join(names)}: {reason}{at}"


def _place(board: str, some: set[str], flags: Collection[str]) -> str:
    is_with_all = some == {""} or some == set(flags)
    return board if is_with_all else " ".join([board, *(each for each in flags if each in some)])


def _shortened(reason: str) -> str:
    first = reason.splitlines()[0] if reason else ""
    return first if len(first) <= _LONGEST else f"{first[: _LONGEST - 1]}…"
