"""Prints many jobs as a table of each kind of algorithm: a row for each implementation, board,
flags and lengths. The incremental parts have a second table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Mapping, Sequence
from functools import partial
from typing import Any

import click

from pennyweight.analysis.compilers import is_chosen, label, versioned
from pennyweight.catalogue.implementation import ONE_SHOT
from pennyweight.cli.output import Column, print_prose, print_table, shortage, write_integer
from pennyweight.job import Level
from pennyweight.model import JobResult, Measurement, Operation, Provenance, Status
from pennyweight.verify.piecewise import TOO_LONG
from pennyweight.verify.verdict import NOT_VERIFIED

_PARTS = (
    *(Operation.INIT, Operation.KEY, Operation.START, Operation.AD),
    *(Operation.ENCRYPT, Operation.DECRYPT, Operation.UPDATE),
    *(Operation.FINALIZE, Operation.TAG, Operation.VERIFY, Operation.SQUEEZE),
)
"""The incremental functions, in the order of their calls."""

_PASSED: dict[Level, str] = {
    "every": "every known-answer test and the complete Monte Carlo chains",
    "full": "all known-answer tests",
    "quick": "a sample of 33 known-answer tests",
}

_WORDS = {
    "implementation": "{}",
    "board": "{}",
    "compiler": "{}",
    "flags": "{}",
    "ad": "{:,} bytes of associated data",
    "m": "{:,} bytes of message",
}
"""Fields of a row that can head rows instead of filling columns, in words."""

Key = tuple[str, str, str, str, str, int, int]


def print_results(results: Sequence[JobResult], level: Level) -> None:
    """Prints the tables, the failures with their reasons, and one line about verification."""
    rows = _rows(results)
    tables: list[Callable[[], None]] = []
    for operations in (*ONE_SHOT.values(), _PARTS):
        alike = [row for row in rows if row["first"] in operations]
        with_parts = [row for row in alike if any(_cycles(op) in row for op in _PARTS)]
        if alike and operations != _PARTS:
            tables.append(partial(_print_rows, alike, operations))
        if with_parts:
            tables.append(partial(_print_parts, with_parts))
    for i, print_it in enumerate(tables):
        if i:
            click.echo()
        print_it()
    for sentence in failures(results):
        print_prose(sentence)
    if sentence := _verification(results, level):
        print_prose(sentence)


def _print_rows(rows: Sequence[dict[str, Any]], operations: Sequence[Operation]) -> None:
    """Prints the rows of algorithms of one kind. If not all columns have room, boards and then
    lengths head groups of rows instead.
    """
    constant = _constant_fields(rows)
    if constant:
        print_prose(", ".join(filter(None, constant.values())))
    columns = [
        *_KEYS,
        *(
            Column(_cycles(op), _cycles(op), write_integer)
            for op in operations
            if any(_cycles(op) in row for row in rows)
        ),
        *_OTHERS,
    ]
    if all(row["ratio"] in (None, 1.0) for row in rows):
        columns = [column for column in columns if column.name != "ratio"]
    if all(row["spread"] is None for row in rows):
        columns = [column for column in columns if column.name != "spread"]
    _print_columns(rows, columns, constant, ((), ("board",), ("board", "ad", "m")))


def _print_parts(rows: Sequence[dict[str, Any]]) -> None:
    """Prints the cycles of the incremental functions, a column for each that was measured."""
    constant = _constant_fields(rows)
    own = filter(None, (constant.get(name) for name in ("implementation", "board", "ad", "m")))
    print_prose(f"Cycles of the incremental parts: {', '.join(own)}".removesuffix(": "))
    measured = [op for op in _PARTS if any(_cycles(op) in row for row in rows)]
    columns = [*_KEYS, *(Column(_cycles(op), op, write_integer) for op in measured)]
    names = [row["implementation"] for row in rows]
    together = sorted(rows, key=lambda row: names.index(row["implementation"]))
    groupings = ((), *(("implementation", "board", "ad", "m")[:length] for length in (1, 2, 4)))
    _print_columns(together, columns, constant, groupings)


def _print_columns(
    rows: Sequence[dict[str, Any]],
    columns: Sequence[Column],
    constant: Container[str],
    groupings: Sequence[Sequence[str]],
) -> None:
    """Prints a table without the `constant` fields. If it is too wide, the fields of a grouping
    head groups of rows instead, of the first with which most fits.
    """
    shown = [column for column in columns if column.name not in constant]
    if not any(row["chosen"] for row in rows):
        shown = [column for column in shown if column.name != "compiler"]

    def outside(grouping: Sequence[str]) -> list[Column]:
        return [column for column in shown if column.name not in grouping]

    grouping = min(groupings, key=lambda each: shortage(rows, outside(each)))
    headed = [name for name in grouping if name not in constant]
    print_table(
        rows,
        outside(grouping),
        heading=(lambda row: _in_words(row, headed)) if headed else None,
    )


def failures(results: Sequence[JobResult]) -> list[str]:
    """A sentence for each reason for which cases of jobs have no measurement."""
    names: dict[tuple[str, str], list[str]] = {}
    for each in results:
        rows = each.measurements
        first = rows[0]
        failed = Counter((row.status, row.reason) for row in rows if row.status != Status.OK)
        for (status, reason), count in failed.items():
            which = "" if count == len(rows) else f" ({count} of {len(rows)} cases)"
            why = f"{status}{f'; {reason}' if reason else ''}"
            compiler = each.provenance.compiler
            where = f"on {first.board}, {label(compiler, first.flags)}{which}"
            name = f"{first.algorithm}/{first.implementation}"
            names.setdefault((where, why), []).append(name)
    return [f"{', '.join(each)} {where}: {why}" for (where, why), each in names.items()]


def _cycles(op: str) -> str:
    """The field of a row with the cycles of an operation."""
    return f"{op} cycles"


def _per_byte(value: float | None) -> str:
    return "-" if value is None else f"{value:,.1f}"


def _ratio(value: float | None) -> str:
    if value is None:
        return "-"
    return "fastest" if value == 1.0 else f"{value:.2f}"


_KEYS = (
    Column("implementation", "implementation"),
    Column("board", "board"),
    Column("compiler", "compiler"),
    Column("flags", "flags"),
    Column("ad", "AD"),
    Column("m", "message"),
)

_OTHERS = (
    Column("spread", "spread", write_integer),
    Column("ratio", "ratio", _ratio),
    Column("per_byte", "per byte", _per_byte, rank=2),
    Column("flash", "flash", write_integer, rank=1),
    Column("ram", "RAM", write_integer, rank=2),
    Column("stack", "stack", write_integer, rank=1),
)
"""The `spread` is that of repeated calls on a real board, the larger of the operations'."""


def _rows(results: Sequence[JobResult]) -> list[dict[str, Any]]:
    """Rows by board and lengths, the fastest first; `ratio` is to the fastest of the group."""
    found: dict[Key, dict[str, Any]] = {}
    for result in results:
        for each in result.measurements:
            if each.status == Status.OK:
                _add(found, each, result.provenance)
    groups: dict[tuple[str, int, int, str], list[dict[str, Any]]] = {}
    for row in found.values():
        group = (row["board"], row["ad"], row["m"], row["first"])
        groups.setdefault(group, []).append(row)
    ordered = []
    for rows in groups.values():
        rows.sort(key=lambda row: row["first_cycles"])
        for row in rows:
            row["ratio"] = row["first_cycles"] / rows[0]["first_cycles"] if len(rows) > 1 else None
        ordered += rows
    return ordered


def _add(found: dict[Key, dict[str, Any]], each: Measurement, origin: Provenance) -> None:
    from pennyweight.analysis.rates import cycles_per_byte

    name = each.algorithm, each.implementation
    key = (*name, each.board, origin.compiler, each.flags, each.ad, each.m)
    row = found.setdefault(
        key,
        {
            "implementation": f"{each.algorithm}/{each.implementation}",
            "board": each.board,
            "compiler": versioned(origin.compiler, origin.compiler_version),
            "chosen": is_chosen(origin.compiler),
            "flags": each.flags,
            "ad": each.ad,
            "m": each.m,
            "first": each.op,
            "first_cycles": each.cycles,
            "per_byte": cycles_per_byte(each.cycles, each.ad, each.m),
            "flash": each.flash,
            "ram": each.ram,
            "stack": 0,
            "spread": None,
        },
    )
    row[_cycles(each.op)] = each.cycles
    if each.cycles_spread is not None:
        row["spread"] = max(row["spread"] or 0, each.cycles_spread)
    row["stack"] = max(row["stack"], each.stack or 0)


def _constant_fields(rows: Sequence[dict[str, Any]]) -> dict[str, str]:
    """The fields that all rows share, in words: they head the table instead of filling it."""
    words = dict(_WORDS)
    first = rows[0]
    if not first["chosen"]:
        del words["compiler"]
    if all(row["first"] == Operation.HASH and not row["ad"] for row in rows):
        words["ad"] = ""  # a hash function has none
    if len(rows) == 1:
        del words["implementation"]
    return {
        name: text.format(first[name])
        for name, text in words.items()
        if all(row[name] == first[name] for row in rows)
    }


def _in_words(row: Mapping[str, Any], names: Sequence[str]) -> str:
    """Fields of a row in words."""
    is_hash = row["first"] == Operation.HASH
    return ", ".join(
        _WORDS[name].format(row[name]) for name in names if name != "ad" or not is_hash
    )


def _verification(results: Sequence[JobResult], level: Level) -> str:
    """What was verified, in one sentence; empty if nothing was built."""
    built = [each for each in results if each.measurements[0].flash is not None]
    if not built:
        return ""
    if level == "none":
        return "Not verified (--verify none)."
    passed = [
        each
        for each in built
        if any(row.status == Status.OK for row in each.measurements)
        and not each.provenance.verified.startswith(NOT_VERIFIED)
    ]
    without = _without_answers(built)
    sentences = [f"{each[0].upper()}{each[1:]}." for each in without]
    with_answers = sum(
        not each.provenance.verified.startswith(f"{NOT_VERIFIED}: ") for each in results
    )
    if with_answers:
        total = f"{len(passed)} of {with_answers} build{'s' if with_answers != 1 else ''}"
        fit = any(TOO_LONG in note for each in results for note in each.notes)
        what = f"{_PASSED[level]}{' that fit into RAM' if fit else ''}"
        sentences.insert(0, f"Verified: {total} passed {what}; --long lists them.")
    return " ".join(sentences)


def _without_answers(built: Sequence[JobResult]) -> list[str]:
    """A sentence for each algorithm without known answers: what was tested instead."""
    found: set[tuple[str, str]] = set()
    for each in built:
        verified = each.provenance.verified
        # Without a reason, verification failed: the row states the cause.
        if verified.startswith(f"{NOT_VERIFIED}: "):
            reason = verified.removeprefix(f"{NOT_VERIFIED}: ")
            found.add((each.measurements[0].algorithm, reason))
    return [f"not verified: {algorithm}: {reason}" for algorithm, reason in sorted(found)]
