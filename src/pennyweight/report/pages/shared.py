"""Names and tables that several pages use."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from pennyweight.analysis.facts import BoardFacts
from pennyweight.model import Kind, Operation
from pennyweight.report.builds import Build, best_of, builds_on
from pennyweight.report.data import (
    FIRST,
    NOT_CONSTANT_TIME,
    SECOND,
    Reference,
    ReportData,
)
from pennyweight.report.numbers import MISSING, duration, frequency, integer, memory, rounded, times
from pennyweight.report.tables import Column, Table, TableRow, number, words

KIND_TITLES = {
    Kind.AEAD: "Authenticated encryption",
    Kind.HASH: "Hashing",
    Kind.AUTH: "Message authentication",
}

_HEADS = {
    Operation.ENC: "Encrypt",
    Operation.DEC: "Decrypt",
    Operation.HASH: "Hash",
    Operation.AUTH: "Compute",
    Operation.AUTH_VERIFY: "Verify",
}

ENERGY_NOTE = "Estimate from time and the datasheet's typical supply current."


_SPREAD_NOTE = "On a real board: the most cycles of repeated calls minus the least."


def board_page(board: str) -> str:
    """The file name of a board's page."""
    return f"board-{board}.html"


def algorithm_page(algorithm: str) -> str:
    """The file name of an algorithm's page."""
    return f"algorithm-{algorithm}.html"


def implementation_page(algorithm: str, implementation: str) -> str:
    """The file name of an implementation's page."""
    return f"implementation-{algorithm}--{implementation}.html"


def short_title(board: BoardFacts) -> str:
    """A board's name without the text in parentheses."""
    return board.title.partition(" (")[0]


def core_title(board: BoardFacts) -> str:
    """A core's title, or its name if the results lack it."""
    return board.core_title or board.core


def board_traits(board: BoardFacts) -> list[tuple[str, str]]:
    """The properties of a board, as pairs of name and value."""
    pairs = [
        ("Part", board.part or MISSING),
        ("Core", f"{core_title(board)}, {board.bits} bits" if board.core else MISSING),
        ("Clock", frequency(board.hz)),
        ("Flash", memory(board.flash_bytes)),
        ("RAM", memory(board.ram_bytes)),
    ]
    if board.current_ma is not None and board.voltage_v is not None:
        pairs.append(("Supply", f"{board.current_ma:g} mA at {board.voltage_v:g} V, typical"))
    return pairs


@dataclass(frozen=True)
class Ranking:
    """The builds of one kind on one board, and the best ones."""

    board: BoardFacts
    kind: Kind
    reference: Reference
    builds: list[Build]
    fastest: list[Build]
    smallest: list[Build]
    doubtful: frozenset[str]
    """Algorithms that are not recommended."""

    @classmethod
    def of(cls, data: ReportData, board: BoardFacts, kind: Kind) -> Ranking | None:
        """The ranking, or None if nothing was measured."""
        reference = data.reference(kind)
        builds = builds_on(data, board.id, kind)
        if reference is None or not builds:
            return None
        fastest = best_of(data, builds, board.id, kind, "cycles")
        smallest = best_of(data, builds, board.id, kind, "flash")
        return cls(board, kind, reference, builds, fastest, smallest, data.doubtful)

    def recommended(self, builds: list[Build]) -> list[Build]:
        """Those of recommended algorithms; all builds, if there are none."""
        return [each for each in builds if each.algorithm not in self.doubtful] or builds

    @property
    def first(self) -> Build:
        """The fastest build of a recommended algorithm."""
        return self.recommended(self.fastest)[0]

    def of_algorithm(self, algorithm: str) -> list[Build]:
        """The builds of one algorithm, fastest first."""
        return self._by_algorithm.get(algorithm, [])

    @cached_property
    def _by_algorithm(self) -> dict[str, list[Build]]:
        found: dict[str, list[Build]] = {}
        for build in self.builds:
            found.setdefault(build.algorithm, []).append(build)
        return found

    def headline(self) -> str:
        """The fastest and the smallest recommended algorithm, in a few sentences."""
        first, *others = self.recommended(self.fastest)
        small = self.recommended(self.smallest)[0]
        cost = [f"{first.cycles:,} cycles"]
        if first.time_us is not None:
            cost.append(f"{duration(first.time_us)} at {frequency(self.board.hz)}")
        if first.energy_uj is not None:
            cost.append(f"about {rounded(first.energy_uj)} µJ")
        text = f"Fastest to {self.reference.words}: {first.title}, in {cost[0]}"
        text += f" ({', '.join(cost[1:])})" if cost[1:] else ""
        if others:
            second = others[0]
            text += f". {second.title} takes {times(second.cycles / first.cycles)} times as long"
        return f"{text}. Smallest: {small.title}, with {small.flash:,} bytes of flash."


def build_label(data: ReportData, algorithm: str, implementation: str, flags: str) -> str:
    """Implementation and flags, as shown below a figure in a table."""
    return f"{implementation}{data.mark(algorithm, implementation)} {flags}"


def footnote(labels: Iterable[str]) -> str:
    """The explanation of the dagger, if one of the labels has it."""
    return NOT_CONSTANT_TIME if any("†" in label for label in labels) else ""


def builds_table(
    data: ReportData,
    builds: Sequence[tuple[Ranking, Build]],
    name: str,
    caption: str,
    by_board: bool = False,
) -> Table:
    """Every build with all its figures, in the given order, fastest first.

    The first column is the algorithm, or the board if all builds are of one algorithm. The best
    rows are those of the builds that are the fastest of their algorithm on their board.
    """
    kind = builds[0][0].kind
    both = kind in SECOND
    columns = [
        Column("Board" if by_board else "Algorithm"),
        Column("Implemen\u00adtation"),
        Column("Flags"),
        Column(_HEADS[FIRST[kind]], "cycles", numeric=True),
    ]
    if both:
        columns.append(Column(_HEADS[SECOND[kind]], "cycles", numeric=True))
    real = any(ranking.board.id in data.real for ranking, _ in builds)
    if real:
        columns.append(Column("Spread", "cycles", numeric=True, note=_SPREAD_NOTE))
    columns += [
        Column("Time", "µs", numeric=True),
        Column("Energy", "µJ, estimate", numeric=True, note=ENERGY_NOTE),
        Column("Set\u2011up", "cycles", numeric=True, note="Value of the fitted line at length 0."),
        Column("Marginal", "cycles/byte", numeric=True, note="Slope of the fitted line."),
        Column("Long messages", "KB/s", numeric=True, note="1 KB is 1,000 bytes."),
        Column("Flash", "bytes", numeric=True),
        Column("Static RAM", "bytes", numeric=True),
        Column("Stack", "bytes", numeric=True),
    ]
    rows, labels = [], []
    fastest = {(r.board.id, b.algorithm, b.name) for r, _ in builds for b in r.fastest}
    for ranking, build in builds:
        mark = data.mark(build.algorithm, build.implementation)
        labels.append(mark)
        speed = None if build.long_throughput is None else build.long_throughput / 1000
        board = ranking.board
        cells = [
            words(short_title(board), board_page(board.id))
            if by_board
            else words(build.title, algorithm_page(build.algorithm)),
            words(
                build.implementation + mark,
                implementation_page(build.algorithm, build.implementation),
            ),
            words(build.flags),
            number(build.cycles, integer),
            *([number(build.second_cycles, integer)] if both else []),
            *([number(build.spread, integer)] if real else []),
            number(build.time_us, rounded),
            number(build.energy_uj, rounded),
            number(build.setup_cycles, integer),
            number(build.marginal, rounded),
            number(speed, rounded),
            number(build.flash, integer),
            number(build.ram, integer),
            number(build.stack, integer),
        ]
        best = (board.id, build.algorithm, build.name) in fastest
        rows.append(TableRow(tuple(cells), best))
    return Table(
        id=name,
        caption=caption,
        columns=tuple(columns),
        rows=tuple(rows),
        csv=f"{name}.csv",
        sorted_by=None if by_board else 3,
        filters=True,
        best="the fastest build on each board"
        if by_board
        else "the fastest build of each algorithm",
        example="such as fast -Os" if by_board else "such as ascon -Os",
        footnote=footnote(labels),
    )
