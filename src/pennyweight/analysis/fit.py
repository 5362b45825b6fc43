"""Set-up cost and marginal cost: a line through cycles against message length."""

from __future__ import annotations

from collections.abc import Iterable

import pyarrow as pa

from pennyweight.analysis.facts import DEFAULT_BLOCK, AlgorithmFacts, block_table
from pennyweight.analysis.rows import query

# Only lengths of whole blocks are on one line, because a cipher pays for each block that it begins.
# The empty message is excluded, because many implementations have a shortcut for it.
_FIT = f"""
WITH aligned AS (
    SELECT r.*, coalesce(a.block, {DEFAULT_BLOCK}) AS block
    FROM measured AS r LEFT JOIN algorithms AS a ON a.name = r.algorithm
    WHERE r.cycles IS NOT NULL AND r.m > 0
), on_line AS (
    SELECT * FROM aligned WHERE m % block = 0
), lines AS (
    SELECT algorithm, implementation, board, flags, op, ad, any_value(block) AS block,
           count(DISTINCT m) AS points, min(m) AS shortest, max(m) AS longest,
           regr_slope(cycles, m) AS cycles_per_byte, regr_intercept(cycles, m) AS setup_cycles
    FROM on_line GROUP BY ALL HAVING count(DISTINCT m) >= 2
)
SELECT l.*, l.cycles_per_byte * l.block AS cycles_per_block,
       (SELECT max(abs(o.cycles - l.setup_cycles - l.cycles_per_byte * o.m) / o.cycles)
        FROM on_line AS o
        WHERE (o.algorithm, o.implementation, o.board, o.flags, o.op, o.ad)
            = (l.algorithm, l.implementation, l.board, l.flags, l.op, l.ad)) AS largest_error
FROM lines AS l ORDER BY board, algorithm, implementation, flags, op, ad
"""


def fit_lines(rows: pa.Table, algorithms: Iterable[AlgorithmFacts] = ()) -> pa.Table:
    """A least-squares line for each implementation, board, flags, operation and AD length.

    Additional columns: `setup_cycles` (the line at length 0: everything that does not grow with the
    message, including associated data), `cycles_per_byte` and `cycles_per_block` (marginal costs),
    `block` (bytes; that of `algorithms`, or 64 if unknown), `points` and the `shortest` and
    `longest` message that the line was fitted to, and `largest_error` (the largest deviation of a
    measurement from the line, as a fraction of the measurement).

    Only messages of whole blocks are used, without the empty one. Fewer than two different lengths
    give no line and no row.
    """
    return query(_FIT, measured=rows, algorithms=block_table(algorithms))
