"""The table of `watch`: figures now, and their differences from earlier ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from pennyweight.analysis.compilers import label
from pennyweight.cli.output import Column, print_prose, print_table, write_integer
from pennyweight.model import JobResult, Measurement, Status

Key = tuple[str, str, str, str, str, int, int]
Figures = dict[Key, Measurement]


def figures_of(results: Sequence[JobResult]) -> Figures:
    """The measured rows of jobs; a compiler that the user chose precedes the flags."""
    measured = (
        replace(row, flags=label(each.provenance.compiler, row.flags))
        for each in results
        for row in each.measurements
        if row.status == Status.OK
    )
    return {
        (row.algorithm, row.implementation, row.board, row.flags, row.op, row.ad, row.m): row
        for row in measured
    }


@dataclass(slots=True)
class History:
    """The first figures of a session, and the newest ones of each row."""

    first: Figures
    last: Figures

    def print(self, now: Figures) -> None:
        """Prints a table of `now` and remembers it. Without figures now, prints the last ones."""
        if self.last and not now:
            print_prose("The last figures:")
        rows = [
            {
                "implementation": f"{row.algorithm}/{row.implementation}",
                "board": row.board,
                "flags": row.flags,
                "case": f"{row.op} {row.ad}:{row.m}",
                "cycles": row.cycles,
                "change": change(self.last.get(key), row),
                "total": change(self.first.get(key), row),
                "flash": row.flash,
                "flash_change": _difference(self.last.get(key), row, "flash"),
                "stack": row.stack,
                "stack_change": _difference(self.last.get(key), row, "stack"),
            }
            for key, row in (now or self.last).items()
        ]
        if rows:
            shared = {
                name: rows[0][name]
                for name in _NAMES
                if all(row[name] == rows[0][name] for row in rows)
            }
            if shared:
                print_prose(", ".join(map(str, shared.values())))
            shown = [
                column
                for column in _COLUMNS
                if column.name not in shared
                and (
                    column.name not in _CHANGES
                    or any(row[column.name] not in ("", SAME) for row in rows)
                )
            ]
            print_table(rows, shown)
            if self.last and now and not {column.name for column in shown} & _SINCE_LAST:
                print_prose("No figure changed since the last measurement.")
        self.last = {**self.last, **now}
        self.first = {**now, **self.first}


SAME = "="
"""The text of a figure that did not change."""

_NAMES = ("implementation", "board", "flags")
"""Columns that are printed above the table if they are the same in all rows."""

_SINCE_LAST = {"change", "flash_change", "stack_change"}
_CHANGES = {"total", *_SINCE_LAST}

_COLUMNS = [
    Column("implementation", "implementation"),
    Column("board", "board"),
    Column("flags", "flags", rank=5),
    Column("case", "case"),
    Column("cycles", "cycles", write_integer),
    Column("change", "since last"),
    Column("total", "since start", rank=4),
    Column("flash", "flash", write_integer, rank=2),
    Column("flash_change", "flash change", rank=1),
    Column("stack", "stack", write_integer, rank=6),
    Column("stack_change", "stack change", rank=3),
]


def change(before: Measurement | None, now: Measurement) -> str:
    """The difference in cycles with its percentage; empty if there is nothing to compare with."""
    if before is None or before.cycles is None or now.cycles is None:
        return ""
    difference = now.cycles - before.cycles
    if difference == 0:
        return SAME
    return f"{difference:+,} ({difference / before.cycles:+.2%})"


def _difference(before: Measurement | None, now: Measurement, name: str) -> str:
    if before is None:
        return ""
    values: list[Any] = [getattr(before, name), getattr(now, name)]
    if None in values or values[0] == values[1]:
        return ""
    return f"{values[1] - values[0]:+,}"
