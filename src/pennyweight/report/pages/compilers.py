"""What another compiler costs: builds of one implementation that differ in the compiler only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from pennyweight.analysis.means import geometric
from pennyweight.report.builds import Build
from pennyweight.report.data import ReportData
from pennyweight.report.numbers import count, integer
from pennyweight.report.pages.shared import Ranking, board_page, short_title
from pennyweight.report.tables import Column, Table, number, rows_of, words


@dataclass(frozen=True, slots=True)
class Comparison:
    """The table of builds by board, flags and compiler, and a sentence for each compiler."""

    sentences: list[str]
    table: Table


@dataclass(frozen=True, slots=True)
class _Group:
    """The builds for a board with the same flags, by compiler; the first is compared with."""

    board: str
    flags: str
    builds: dict[str, Build]

    @property
    def own(self) -> Build:
        return next(iter(self.builds.values()))


def comparison(
    data: ReportData,
    builds: Sequence[tuple[Ranking, Build]],
    compilers: Mapping[str, str],
    slug: str,
) -> Comparison | None:
    """Compares compilers by the builds of an implementation; None if there is only one for each
    board and flags. `compilers` are those of the builds, by job.
    """
    groups = _groups(builds, compilers)
    if not groups:
        return None
    rows: list[dict[str, Any]] = [
        {
            "board": group.board,
            "flags": group.flags,
            "compiler": compiler,
            "cycles": build.cycles,
            "cycles_ratio": build.cycles / group.own.cycles,
            "flash": build.flash,
            "flash_ratio": build.flash / group.own.flash if group.own.flash else None,
            "stack": build.stack,
        }
        for group in groups
        for compiler, build in group.builds.items()
    ]
    table = Table(
        id=f"{slug}-compilers",
        caption=f"Cost to {builds[0][0].reference.words}, by compiler",
        columns=(
            Column("Board"),
            Column("Flags"),
            Column("Compiler"),
            Column("Cycles", numeric=True),
            Column("Ratio", numeric=True, note="To the first compiler of the board and flags."),
            Column("Flash", "bytes", numeric=True),
            Column("Ratio", numeric=True, note="To the first compiler of the board and flags."),
            Column("Stack", "bytes", numeric=True),
        ),
        rows=rows_of(
            [
                words(short_title(data.boards[row["board"]]), board_page(row["board"])),
                words(row["flags"]),
                words(row["compiler"]),
                number(row["cycles"], integer),
                number(row["cycles_ratio"], _ratio),
                number(row["flash"], integer),
                number(row["flash_ratio"], _ratio),
                number(row["stack"], integer),
            ]
            for row in rows
        ),
        csv=f"{slug}-compilers.csv",
        numbers=pa.Table.from_pylist(rows),
    )
    return Comparison(_sentences(groups), table)


def _groups(builds: Sequence[tuple[Ranking, Build]], compilers: Mapping[str, str]) -> list[_Group]:
    found: dict[tuple[str, str], dict[str, Build]] = {}
    for ranking, build in builds:
        compiler = compilers[build.job]
        flags = build.flags.removeprefix(f"{compiler} ")
        found.setdefault((ranking.board.id, flags), {})[compiler] = build
    groups = []
    for (board, flags), own in sorted(found.items()):
        # A chosen compiler's name is in the label of its flags; the board's own comes first.
        order = sorted(own, key=lambda name: (own[name].flags != flags, name))
        if len(order) > 1:
            groups.append(_Group(board, flags, {name: own[name] for name in order}))
    return groups


def _sentences(groups: Sequence[_Group]) -> list[str]:
    ratios: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for group in groups:
        (first, own), *others = group.builds.items()
        for name, build in others:
            flash = build.flash / own.flash if own.flash else 1.0
            ratios.setdefault((name, first), []).append((build.cycles / own.cycles, flash))
    sentences = []
    for (name, first), pairs in sorted(ratios.items()):
        cycles = geometric([pair[0] for pair in pairs]).mean
        flash = geometric([pair[1] for pair in pairs]).mean
        mean = "" if len(pairs) == 1 else f" (geometric mean of {count(len(pairs), 'pair')})"
        sentences.append(
            f"{name} compared with {first}: {_ratio(cycles)} times the cycles and "
            f"{_ratio(flash)} times the flash{mean}."
        )
    return sentences


def _ratio(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
