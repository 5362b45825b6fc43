"""Pairs the rows of two sets of measurements."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pyarrow as pa

from pennyweight.analysis.comparison import KEYS, METRICS
from pennyweight.analysis.rows import query
from pennyweight.catalogue.suggest import did_you_mean
from pennyweight.comparison.inputs import PUBLISHED, Input, read_input
from pennyweight.model import UserError


def read_inputs(
    first: str, second: str, pins_first: Sequence[str], pins_second: Sequence[str], metrics: str
) -> tuple[Input, Input, frozenset[str]]:
    """Both sides, and the keys that are not compared.

    These are the keys that one side's rows do not have, and those that both sides fix to different
    values. Raises UserError.
    """
    wanted = [name.strip() for name in metrics.split(",")]
    for name in wanted:
        if name not in METRICS:
            raise UserError(
                f"--metric: '{name}' cannot be compared:{did_you_mean(name, METRICS)} "
                f"known are {', '.join(METRICS)}"
            )
    if "flash" in wanted and any(side.startswith(PUBLISHED) for side in (first, second)):
        # Studies also publish the code size of one direction, which is compared with that of one
        # direction.
        wanted += [name for name in ("flash_enc", "flash_dec") if name not in wanted]
    a = read_input(first, pins_first, wanted)
    b = read_input(second, pins_second, wanted)
    if (first, dict(a.pinned)) == (second, dict(b.pinned)):
        raise UserError(
            f"{first} is compared with itself: use two folders, or select rows of it with --a "
            "and --b, such as --a flags=-Os --b flags=-O3"
        )
    fixed = {key for key in KEYS if key in a.pinned and key in b.pinned}
    differing = {key for key in fixed if a.pinned[key] != b.pinned[key]}
    return a, b, frozenset(differing) | a.open_keys | b.open_keys


def compare_functions(a: Input, b: Input, ignored: Iterable[str] = ()) -> pa.Table:
    """Bytes of each function and object in both sides' builds.

    Columns: algorithm, implementation, board, flags, name, section, before, after, difference,
    ratio, as in :func:`pennyweight.analysis.comparison.compare`. Raises UserError if a side has no
    bytes by function, such as a file or published figures.
    """
    for side in (a, b):
        if side.functions.num_rows == 0:
            raise UserError(f"{side.label}: has no bytes by function; use a results folder")
    left_out = set(ignored)
    builds = ("algorithm", "implementation", "board", "flags")
    on = [key for key in builds if key not in left_out] + ["name", "section"]
    match = " AND ".join(f"a.{key} = b.{key}" for key in on)
    keys = ", ".join(f"coalesce(b.{key}, a.{key}) AS {key}" for key in (*builds, "name", "section"))
    # A build that one side does not have at all does not count as grown functions.
    together = " AND ".join(f"x.{key} = y.{key}" for key in builds if key not in left_out) or "true"
    return query(
        f"""
        WITH a AS (
            SELECT * FROM first AS x
            WHERE EXISTS (SELECT 1 FROM second AS y WHERE {together})
        ), b AS (
            SELECT * FROM second AS x
            WHERE EXISTS (SELECT 1 FROM first AS y WHERE {together})
        )
        SELECT {keys},
               coalesce(a.bytes, 0)::DOUBLE AS before, coalesce(b.bytes, 0)::DOUBLE AS after,
               after - before AS difference, after / nullif(before, 0) AS ratio
        FROM a FULL JOIN b ON {match} ORDER BY ALL
        """,
        first=a.functions,
        second=b.functions,
    )
