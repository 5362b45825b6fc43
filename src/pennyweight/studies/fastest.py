"""The fastest bundled constant-time implementation per board, as measured.

The table is `studies/fastest.tsv`; `make fastest` updates it. A study uses it with ``fastest =
true`` in its [[implementations]].
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pennyweight.catalogue import Board, Implementation
from pennyweight.catalogue.offers import is_offered, is_protected
from pennyweight.catalogue.root import data_root
from pennyweight.catalogue.tomlfile import read_text
from pennyweight.model import Case, Kind, Operation, UserError

FLAGS = ("-Os", "-O3")
"""The compiler flags that the table distinguishes: for size, and for speed."""

CASES: Mapping[Kind, tuple[Case, ...]] = {
    Kind.AEAD: tuple(Case(Operation.ENC, 16, length) for length in (0, 64, 1024)),
    Kind.HASH: tuple(Case(Operation.HASH, 0, length) for length in (0, 64, 1024)),
    Kind.AUTH: tuple(Case(Operation.AUTH, 0, length) for length in (0, 64, 1024)),
}
"""No, a short and a long message; the implementation with the fewest cycles is chosen at each."""

_HEADER = ("algorithm", "flags")
_NONE = "-"
"""A cell of a board that no implementation fits; a cell that was not measured is empty."""

Names = tuple[str, ...] | None
"""The chosen implementations: one to three, none if none fits; `None` if nothing was measured."""


def is_candidate(implementation: Implementation) -> bool:
    """Whether it is a candidate: only bundled implementations that do not state that their time
    varies, and are not masked.
    """
    constant_time = implementation.manifest.constant_time is not False
    return implementation.bundled and constant_time and not is_protected(implementation)


def choose(cycles: Mapping[str, Sequence[int | None]]) -> tuple[str, ...]:
    """The names with the fewest cycles at each case: empty if none has any.

    `cycles` has, for each implementation's name, the cycles at each case; `None` where it does not
    fit or fails. Of equal ones the first by name is chosen, so that the table does not depend on
    the order of measurements.
    """
    winners = []
    for position in range(max(map(len, cycles.values()), default=0)):
        found = [
            (value, name)
            for name, each in sorted(cycles.items())
            if (value := each[position]) is not None
        ]
        if found:
            winners.append(min(found)[1])
    return tuple(dict.fromkeys(winners))


@dataclass(frozen=True, slots=True)
class FastestTable:
    """The measured choice: names of implementations by algorithm, flags and board."""

    boards: tuple[str, ...]
    rows: Mapping[tuple[str, str], tuple[Names, ...]]
    """For each (algorithm, flags): the names per board, in the order of `boards`."""

    def names(self, algorithm: str, flags: str, board: str) -> Names:
        """The chosen implementations' names; `None` if nothing was measured."""
        row = self.rows.get((algorithm, flags))
        if row is None or board not in self.boards:
            return None
        return row[self.boards.index(board)]

    def replaced(
        self, boards: Iterable[str], measured: Mapping[tuple[str, str, str], tuple[str, ...]]
    ) -> FastestTable:
        """The table with new choices by (algorithm, flags, board) replacing old ones."""
        columns = tuple(sorted({*self.boards, *boards}))
        keys = sorted({*self.rows, *((each[0], each[1]) for each in measured)}, key=_row_order)
        rows = {
            (algorithm, flags): tuple(
                measured.get((algorithm, flags, board), self.names(algorithm, flags, board))
                for board in columns
            )
            for algorithm, flags in keys
        }
        return FastestTable(columns, rows)

    def restricted(self, boards: Iterable[str], algorithms: Iterable[str]) -> FastestTable:
        """The table without boards and algorithms that are no longer bundled."""
        kept_boards, kept = set(boards), set(algorithms)
        columns = tuple(board for board in self.boards if board in kept_boards)
        rows = {
            (algorithm, flags): tuple(self.names(algorithm, flags, board) for board in columns)
            for algorithm, flags in self.rows
            if algorithm in kept
        }
        return FastestTable(columns, rows)

    def text(self) -> str:
        """The file's text."""
        lines = ["\t".join((*_HEADER, *self.boards))]
        for (algorithm, flags), row in self.rows.items():
            cells = ("" if names is None else " ".join(names) or _NONE for names in row)
            lines.append("\t".join((algorithm, flags, *cells)))
        return "\n".join(lines) + "\n"


def _row_order(key: tuple[str, str]) -> tuple[str, int]:
    return key[0], FLAGS.index(key[1])


def fastest_path() -> Path:
    """The table's file."""
    return data_root() / "studies" / "fastest.tsv"


def read_fastest(path: Path | None = None) -> FastestTable:
    """Reads the table. UserError names the file, the line and the remedy."""
    path = path or fastest_path()
    lines = [line.split("\t") for line in read_text(path).splitlines()]
    if not lines or tuple(lines[0][:2]) != _HEADER:
        raise UserError(
            f"{path}: line 1: the header has to begin with {' and '.join(_HEADER)}; "
            "run `make fastest` to write the table again"
        )
    boards = tuple(lines[0][2:])
    rows: dict[tuple[str, str], tuple[Names, ...]] = {}
    for number, cells in enumerate(lines[1:], 2):
        if len(cells) != len(lines[0]) or cells[1] not in FLAGS:
            raise UserError(
                f"{path}: line {number}: expected an algorithm, one of {', '.join(FLAGS)} and "
                f"{len(boards)} cells; run `make fastest` to write the table again"
            )
        rows[cells[0], cells[1]] = tuple(_names(cell) for cell in cells[2:])
    return FastestTable(boards, rows)


def _names(cell: str) -> Names:
    if not cell:
        return None
    return () if cell == _NONE else tuple(cell.split(" "))


def fastest_of(
    implementations: Iterable[Implementation],
    board: Board,
    flags: Iterable[str],
    known: Mapping[str, Board],
    table: FastestTable | None = None,
) -> set[str]:
    """The ids of those implementations that are the fastest in constant time on a board.

    `flags` are a study's; those that optimise for size use the choice at -Os, all others that at
    -O3. For a board that is not in the table, the choices of all boards with its core are used, or
    otherwise those of all boards of its width; `known` are the bundled boards by id.
    """
    table = table or read_fastest()
    columns = _columns(board, known, table)
    levels = {"-Os" if {"-Os", "-Oz"} & set(each.split()) else "-O3" for each in flags}
    by_algorithm: dict[str, list[Implementation]] = {}
    for each in implementations:
        if is_candidate(each) and is_offered(each, board):
            by_algorithm.setdefault(each.algorithm, []).append(each)
    chosen: set[str] = set()
    for algorithm, candidates in by_algorithm.items():
        found = [table.names(algorithm, level, each) for level in levels for each in columns]
        wanted = {name for names in found for name in names or ()}
        own = {each.id for each in candidates if each.name in wanted}
        # Without a choice among them, all candidates stay in a study: none has been measured, or
        # the chosen assembly is for the instruction sets of other boards.
        fits_nowhere = not wanted and any(names is not None for names in found)
        chosen |= own if own or fits_nowhere else {each.id for each in candidates}
    return chosen


def _columns(board: Board, known: Mapping[str, Board], table: FastestTable) -> tuple[str, ...]:
    """The table's boards whose choices a board takes."""
    if board.id in table.boards:
        return (board.id,)
    listed = [known[name] for name in table.boards if name in known]
    same_core = tuple(each.id for each in listed if each.core == board.core)
    return same_core or tuple(each.id for each in listed if each.bits == board.bits)


__all__ = [
    "CASES",
    "FLAGS",
    "FastestTable",
    "choose",
    "fastest_of",
    "fastest_path",
    "is_candidate",
    "read_fastest",
]
