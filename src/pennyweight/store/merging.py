"""Imports results into a folder; stores differing ones separately and reports them."""

from __future__ import annotations

import contextlib
import hashlib
import json
import operator
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from pennyweight.model import Operation, UserError, printable
from pennyweight.store.archive import Shared, read_shared
from pennyweight.store.campaign_records import what_is_wrong_with
from pennyweight.store.digest import are_alike, comparable, content_digest
from pennyweight.store.folder import CAMPAIGNS, DISPUTED, JOBS, SYMBOLS, ResultStore
from pennyweight.store.machine import noted, sentence
from pennyweight.store.schema import (
    measurement_schema,
    other_version,
    symbol_schema,
    what_is_wrong,
)
from pennyweight.store.validation import read_table, written_by

_BUILD = ("algorithm", "implementation", "board", "flags")
_CASE = ("op", "ad", "m")
_SHOWN = 3
_AT_ONCE = 2000
_LONGEST_NAME, _LONGEST_FLAGS = 80, 1000

_COUNT = (1, 1 << 53)
_LENGTH = (0, 1 << 32)
_ANY = (-(1 << 40), 1 << 40)
_RANGES = {
    **dict.fromkeys(("cycles", "cycles_cold", "cycles_least", "instructions"), _COUNT),
    **dict.fromkeys(("ad", "m"), _LENGTH),
}
"""Limits of numbers: far more than any part produces, and few enough for charts."""

_OPERATIONS = frozenset(each.value for each in Operation)


@dataclass(frozen=True, slots=True)
class Finding:
    """A job with different results in both folders, in one sentence."""

    job: str
    text: str


@dataclass(slots=True)
class Merged:
    """How many imported jobs were new, existed with the same rows, or differ."""

    added: int = 0
    same: int = 0
    findings: list[Finding] = field(default_factory=list)
    campaigns: int = 0


def merge(source: Path, store: ResultStore) -> Merged:
    """Imports what `store` does not have. Raises UserError for files that are not results.

    Existing results do not change. If a job exists with other rows, the imported file goes to
    `disputed/`, and a finding describes the difference and both environments.
    """
    store.prepare()
    merged = Merged()
    symbols = None
    for shared in read_shared(source):
        if shared.kind == CAMPAIGNS:
            merged.campaigns += _take_campaign(shared, source, store)
        elif shared.kind == SYMBOLS:
            symbols = shared if _is_new(shared, source, store) else None
        else:
            of_job = symbols if symbols is not None and symbols.name == shared.name else None
            _take_job(shared, source, store, merged, of_job)
    return merged


def _take_job(
    shared: Shared, source: Path, store: ResultStore, merged: Merged, symbols: Shared | None
) -> None:
    """Imports a job's rows, or records how they differ; `symbols` are those of the import if they
    differ.
    """
    theirs = _check(shared, source, measurement_schema())
    ours = None
    if store.has(shared.name):
        with contextlib.suppress(UserError):  # a damaged result would be measured again
            ours = store.read_job(shared.name)
    if ours is None:
        if symbols is not None:
            store.add_file(SYMBOLS, shared.name, symbols.content)
        store.add_file(JOBS, shared.name, shared.content)
        merged.added += 1
    elif not are_alike(ours, theirs):
        if symbols is not None:
            _dispute_symbols(symbols, store)
        store.add_file(DISPUTED, f"{shared.name}.{content_digest(theirs)[:16]}", shared.content)
        merged.findings.append(Finding(shared.name, what_differs(ours, theirs)))
    elif symbols is None:
        merged.same += 1
    elif (mine := store.read_symbols(shared.name)) is None:
        store.add_file(SYMBOLS, shared.name, symbols.content)
        merged.same += 1
    else:
        _dispute_symbols(symbols, store)
        other = _check(symbols, source, symbol_schema())
        text = (
            f"{_what(ours)}: bytes by function differ in {_how_many_differ(mine, other)} of "
            f"{max(len(mine), len(other))} rows. {_surrounded(ours, theirs)}"
        )
        merged.findings.append(Finding(shared.name, printable(text)))


def _is_new(shared: Shared, source: Path, store: ResultStore) -> bool:
    """Whether these bytes by function differ from the stored ones. They are handled together with
    the rows of their job.
    """
    theirs = _check(shared, source, symbol_schema())
    ours = store.read_symbols(shared.name) if store.has(shared.name) else None
    return ours is None or _how_many_differ(ours, theirs) > 0


def _dispute_symbols(shared: Shared, store: ResultStore) -> None:
    digest = hashlib.sha256(shared.content).hexdigest()[:16]
    store.add_file(DISPUTED, f"{shared.name}.{SYMBOLS}.{digest}", shared.content)


def _how_many_differ(ours: pa.Table, theirs: pa.Table) -> int:
    """Number of differing rows of bytes by function, in all columns that both have."""
    names = [name for name in symbol_schema().names if name in ours.column_names]
    names = [name for name in names if name in theirs.column_names]
    mine, other = ours.select(names), theirs.select(names)
    if mine.equals(other):
        return 0
    different = sum(map(operator.ne, _rows(mine), _rows(other)))
    return int(different + abs(len(mine) - len(other)))


def _rows(table: pa.Table) -> Iterator[tuple[object, ...]]:
    return zip(*(column.to_pylist() for column in table.columns), strict=True)


def _what(table: pa.Table) -> str:
    [first] = table.slice(0, 1).to_pylist()
    return "{algorithm}/{implementation} on {board} {flags}".format(**first)


def _surrounded(ours: pa.Table, theirs: pa.Table) -> str:
    return f"Here: {_surroundings(ours)}. There: {_surroundings(theirs)}."


def what_differs(ours: pa.Table, theirs: pa.Table) -> str:
    """The rows and columns in which two results of one job differ, and the origin of both."""
    mine, other = comparable(ours), comparable(theirs)
    shown, count = [], 0
    for place in _differences(mine, other):
        count += 1
        if count <= _SHOWN:
            shown.append(place)
    more = f"; {count - _SHOWN} more differences" if count > _SHOWN else ""
    return printable(
        f"{_what(mine if mine.num_rows else other)}: "
        f"{'; '.join(shown) or 'the order of the rows'}{more}. {_surrounded(ours, theirs)}"
    )


def _differences(mine: pa.Table, other: pa.Table) -> Iterator[str]:
    """Each difference in words; compares few rows at a time, because an imported file may have
    many.
    """
    there = {case: i for i, case in enumerate(_cases(other))}
    for start in range(0, mine.num_rows, _AT_ONCE):
        rows = mine.slice(start, _AT_ONCE).to_pylist()
        places = [there.pop(tuple(row[k] for k in _CASE), None) for row in rows]
        known = pa.array([i for i in places if i is not None], pa.int64())
        found = iter(other.take(known).to_pylist())
        for row, i in zip(rows, places, strict=True):
            case = "{op} {ad}:{m}".format(**row)
            if i is None:
                yield f"{case} is missing there"
                continue
            theirs = next(found)
            for name in row:
                if row[name] != theirs.get(name):
                    yield f"{case} {name}: {row[name]} here, {theirs.get(name)} there"
    yield from (f"{op} {ad}:{m} is missing here" for op, ad, m in there)


def _cases(table: pa.Table) -> Iterator[tuple[object, ...]]:
    return zip(*(table.column(name).to_pylist() for name in _CASE), strict=True)


def _surroundings(table: pa.Table) -> str:
    [row] = table.slice(0, 1).to_pylist()
    return (
        f"{row['compiler_version'] or row['compiler']}, simulator {row['simulator_version']}, "
        f"Pennyweight {row['pennyweight_version']}, {sentence(noted(table.schema.metadata))}"
    )


def _check(shared: Shared, source: Path, wanted: pa.Schema) -> pa.Table:
    """The rows of a file, if they can be imported. Raises UserError."""
    where = f"{source}: {shared.kind}/{shared.name}"
    table = read_table(shared.content, where)
    problem = what_is_wrong(table.schema, wanted)
    if problem is None and table.num_rows == 0:
        problem = "it has no rows"
    if problem is None and set(table.column("job").to_pylist()) != {shared.name}:
        problem = "its rows belong to another job"
    if problem is None:
        problem = _odd_value(table, wanted)
    if problem is None and shared.kind == JOBS:
        problem = _odd_name(table)
    if problem is not None:
        other = other_version(table.schema, wanted, written_by(shared.content))
        if other is not None:
            raise UserError(f"{where}: {other}")
        raise UserError(f"{where}: is not a result of Pennyweight: {problem}")
    return table


def _odd_value(table: pa.Table, wanted: pa.Schema) -> str | None:
    """The column with a value that no measurement gives, in words. Charts draw all values."""
    for column in wanted:
        if column.name not in table.column_names:
            continue
        values = table.column(column.name)
        if values.null_count and not column.nullable:
            return f"its column '{column.name}' has a row without a value"
        if column.type == pa.int64():
            least, most = _RANGES.get(column.name, _ANY)
            found = pc.min_max(values).as_py()
            for value in (found["min"], found["max"]):
                if value is not None and not least <= value <= most:
                    return f"its column '{column.name}' has the value {value}"
    if "op" in wanted.names:
        for op in table.column("op").unique().to_pylist():
            if op not in _OPERATIONS:
                return f"its column 'op' has '{printable(op)[:60]}', unknown to this version"
    return None


def _odd_name(table: pa.Table) -> str | None:
    """The column with a name that Pennyweight would not use, in words: pages and terminals show
    names, and files of the report are named after them.
    """
    for column in _BUILD:
        for name in table.column(column).unique().to_pylist():
            is_file = column == "flags" or not ("/" in name or "\\" in name)
            longest = _LONGEST_FLAGS if column == "flags" else _LONGEST_NAME
            if not name or len(name) > longest or not name.isprintable() or not is_file:
                return f"'{printable(name)[:60]}' cannot be the name of its {column}"
    return None


def _take_campaign(shared: Shared, source: Path, store: ResultStore) -> int:
    """Adds a campaign's record, or merges its new entries into an existing one; 1 if something was
    added.

    Raises UserError for an invalid record.
    """
    try:
        theirs = json.loads(shared.content)
        problem = what_is_wrong_with(theirs, shared.name)
    except (ValueError, RecursionError):
        problem = "it is not JSON"
    if problem is not None:
        raise UserError(
            f"{source}: {CAMPAIGNS}/{shared.name}.json is not a campaign of Pennyweight: "
            f"{problem}; request a new archive"
        )
    ours = next((each for each in store.campaigns() if each.get("id") == shared.name), None)
    record = theirs if ours is None else _united(ours, theirs)
    if record == ours:
        return 0
    store.add_campaign(shared.name, record)
    return 1


def _united(ours: dict[str, Any], theirs: dict[str, Any]) -> dict[str, Any]:
    """The stored record, with the jobs, boards and so on that only the imported one has."""
    united = dict(ours)
    for name, value in theirs.items():
        mine = united.setdefault(name, value)
        if isinstance(mine, list) and isinstance(value, list):
            united[name] = [*mine, *_new(mine, value)]
    return united


def _new(ours: Iterable[Any], theirs: Iterable[Any]) -> list[Any]:
    known = {_name(each) for each in ours}
    return [each for each in theirs if _name(each) not in known]


def _name(each: Any) -> str:
    """The key of a list's entry: an id or a name, otherwise the whole entry."""
    if isinstance(each, dict):
        for key in ("id", "board", "name"):
            if key in each and "algorithm" not in each:
                return str(each[key])
    return json.dumps(each, sort_keys=True)
