"""Reads the inputs of a comparison: a results folder, the output of `measure`, or published
figures.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from pennyweight import published
from pennyweight.analysis.comparison import BUILD, KEYS, METRICS, OF_A_CASE, SCHEMA, figures
from pennyweight.analysis.compilers import LABELLED_FLAGS
from pennyweight.analysis.rows import query
from pennyweight.catalogue.suggest import did_you_mean
from pennyweight.model import UserError
from pennyweight.store import open_store
from pennyweight.store.reading import open_results, without_results
from pennyweight.store.schema import measurement_schema

PUBLISHED = "published:"

_ONE_WAY = {"enc": "flash_enc", "dec": "flash_dec"}
"""The direction of a published code size, if it is not that of both."""

_NO_BYTES = pa.schema(
    [(name, pa.string()) for name in ("algorithm", "implementation", "board", "flags")]
    + [("name", pa.string()), ("section", pa.string()), ("bytes", pa.int64())]
)


@dataclass(frozen=True, slots=True)
class Input:
    """One side of a comparison.

    `figures` as in :mod:`pennyweight.analysis.comparison`; `functions` has the bytes of each
    function and object of each build; `open_keys` are keys that its rows do not have.
    """

    label: str
    figures: pa.Table
    functions: pa.Table
    pinned: Mapping[str, str] = field(default_factory=dict)
    open_keys: frozenset[str] = frozenset()


def read_input(text: str, pins: Sequence[str] = (), metrics: Sequence[str] = METRICS) -> Input:
    """Reads the side that `text` names, with only the rows that `pins` (``key=value``) select.

    Raises UserError for a missing input, for an unknown key, and if no row is left.
    """
    pinned = dict(_pin(each) for each in pins)
    if text.startswith(PUBLISHED):
        side = _published(text, metrics)
    elif Path(text).is_dir() or "://" in text:
        side = _results(text, metrics)
    elif text.endswith((".json", ".csv")):
        side = _file(Path(text), metrics)
    else:
        problem = "not a results folder" if Path(text).exists() else "no such results folder"
        raise UserError(
            f"{text}: {problem}; give a folder that `pennyweight run` wrote, a .json "
            f"or .csv that `pennyweight measure` printed, or {PUBLISHED}NAME with one of "
            f"{', '.join(published.names())}"
        )
    chosen = _choose(side.figures, pinned)
    if chosen.num_rows == 0:
        if not pins:
            raise UserError(f"{text}: there are no measurements; give other results")
        raise UserError(f"{text}: no measurement with {', '.join(pins)}; correct the selection")
    label = " ".join([text, *pins])
    return Input(label, chosen, _choose(side.functions, pinned), pinned, side.open_keys)


def _pin(text: str) -> tuple[str, str]:
    key, _, value = text.partition("=")
    if key not in KEYS or not value:
        raise UserError(
            f"'{text}' does not select rows:{did_you_mean(key, KEYS)} write KEY=VALUE with one of "
            f"{', '.join(KEYS)}, such as flags=-Os"
        )
    return key, value


def _choose(table: pa.Table, pinned: Mapping[str, str]) -> pa.Table:
    for key, value in pinned.items():
        if key not in table.column_names:
            continue
        column = table[key].cast(pa.string())
        table = table.filter(pc.fill_null(pc.equal(column, value), False))
    return table


def _results(text: str, metrics: Sequence[str]) -> Input:
    with open_results(open_store(text)) as results:
        latest = f"(SELECT * REPLACE ({LABELLED_FLAGS} AS flags) FROM latest)"
        rows = results.query(f"SELECT * FROM {latest} WHERE status = 'ok'")
        if rows.num_rows == 0 and results.remarks:
            raise without_results(text, results.remarks)
        # All jobs of one build have the same symbols, so any of them is sufficient.
        functions = results.query(
            f"""
            SELECT algorithm, implementation, board, flags, name, section,
                   sum(bytes)::BIGINT AS bytes
            FROM symbols JOIN (
                SELECT algorithm, implementation, board, flags, max(job) AS job FROM {latest}
                WHERE job IN (SELECT job FROM symbols) GROUP BY ALL
            ) USING (job) GROUP BY ALL
            """
        )
    return Input(text, figures(rows, metrics), functions.cast(_NO_BYTES))


def _file(path: Path, metrics: Sequence[str]) -> Input:
    try:
        text = path.read_text(encoding="utf-8")
        rows = (
            json.loads(text) if path.suffix == ".json" else list(csv.DictReader(text.splitlines()))
        )
        table = _table(rows)
    except FileNotFoundError:
        raise UserError(f"{path}: there is no such file; check the path") from None
    except (OSError, ValueError, TypeError, pa.ArrowException) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise UserError(
            f"{path}: is not output of `pennyweight measure --format {path.suffix[1:]}` ({reason})"
            "; give a file that it printed"
        ) from None
    labelled = f"REPLACE ({LABELLED_FLAGS} AS flags)" if "compiler" in table.column_names else ""
    rows_ok = query(f"SELECT * {labelled} FROM measured WHERE status = 'ok'", measured=table)
    return Input(str(path), figures(rows_ok, metrics), _NO_BYTES.empty_table())


def _table(rows: list[dict[str, Any]]) -> pa.Table:
    """Rows as printed, with their columns of the store; CSV has only texts."""
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise ValueError("it is not a list of rows")
    if not rows:
        raise ValueError("it has no rows")
    wanted = measurement_schema()
    names = [name for name in wanted.names if name in rows[0]]
    missing = [name for name in (*KEYS, "status") if name not in names]
    if missing:
        raise ValueError(f"there is no column '{missing[0]}'")
    columns = []
    for name in names:
        kind = wanted.field(name).type
        values = [None if row[name] in ("", None) else row[name] for row in rows]
        if pa.types.is_integer(kind):
            values = [None if value is None else int(value) for value in values]
        columns.append(
            pa.array(
                ["" if v is None else v for v in values] if kind == pa.string() else values, kind
            )
        )
    absent = [name for name in METRICS if name not in names]
    arrays = columns + [pa.nulls(len(rows), pa.int64()) for _ in absent]
    return pa.table(arrays, names=[*names, *absent])


def _published(text: str, metrics: Sequence[str]) -> Input:
    found = published.load(text.removeprefix(PUBLISHED))
    rows: dict[tuple[object, ...], dict[str, Any]] = {}
    for figure in found.figures:
        row = _published_row(figure)
        if row["metric"] in metrics and figure.board:
            # For code sizes by case, as in FELICS, the largest is used.
            key = tuple(row[name] for name in (*KEYS, "metric"))
            if key not in rows or row["value"] > rows[key]["value"]:
                rows[key] = row
    if not rows:
        known = sorted({figure.metric for figure in found.figures if figure.metric not in METRICS})
        others = f"; it has {', '.join(known)}, which the study's report compares"
        raise UserError(
            f"{text}: has no {' or '.join(metrics)}{others if known else ''}; compare another set "
            f"of {', '.join(published.names())}"
        )
    open_keys = {"implementation"}
    if any(not row["flags"] for row in rows.values()):
        open_keys.add("flags")
    return Input(
        text,
        pa.Table.from_pylist(list(rows.values()), schema=SCHEMA),
        _NO_BYTES.empty_table(),
        open_keys=frozenset(open_keys),
    )


def _published_row(figure: published.Figure) -> dict[str, Any]:
    of_a_case = figure.metric in OF_A_CASE
    metric = figure.metric
    if metric == "flash" and figure.of("op") in _ONE_WAY:
        metric = _ONE_WAY[str(figure.of("op"))]
    return {
        "algorithm": figure.algorithm,
        "implementation": figure.label,
        "board": figure.board,
        "flags": figure.of("flags") or "",
        "op": figure.of("op") if of_a_case else BUILD,
        "ad": figure.of("ad") if of_a_case else None,
        "m": figure.of("m") if of_a_case else None,
        "metric": metric,
        "value": figure.value,
    }
