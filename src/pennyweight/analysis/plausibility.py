"""Figures that look wrong: flagged with a sentence, never hidden.

The limits are wide enough that the padding of a last block, or a mode that decrypts by another
path, does not ring; what rings deserves a look at the implementation or at the simulator.
"""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa

from pennyweight.analysis.rows import query

FALL_LIMIT = 0.10
"""A longer message may cost this fraction less than the next shorter one: a block that is whole
takes fewer steps than one that has to be gathered and padded."""

DIRECTION_LIMIT = 0.25
"""Decryption may differ from encryption by this fraction."""

LEVEL_SLOWER_LIMIT = 1.10
"""-O3 may cost this many times what -Os or -O2 cost."""

LEVEL_FASTER_LIMIT = 0.25
"""-O3 may bring the cycles down to this fraction of -Os or -O2."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """A figure to look at twice, and why."""

    board: str
    algorithm: str
    implementation: str
    flags: str
    sentence: str


def doubts(rows: pa.Table) -> list[Doubt]:
    """Everything that looks wrong in these rows, ordered by board and implementation."""
    found = [*falling(rows), *directions(rows), *levels(rows)]
    return sorted(
        found, key=lambda d: (d.board, d.algorithm, d.implementation, d.flags, d.sentence)
    )


def falling(rows: pa.Table) -> list[Doubt]:
    """Cycles that fall as the message grows; of each build and operation the largest fall."""
    table = query(
        f"""
        WITH steps AS (
            SELECT board, algorithm, implementation, flags, op, ad, m, cycles,
                   lag(m) OVER w AS shorter_m, lag(cycles) OVER w AS shorter_cycles
            FROM measured WHERE cycles IS NOT NULL
            WINDOW w AS (
                PARTITION BY board, algorithm, implementation, flags, op, ad, buffers ORDER BY m
            )
        )
        SELECT *, 1 - cycles / shorter_cycles AS fall FROM steps
        WHERE cycles < shorter_cycles * (1 - {FALL_LIMIT})
        QUALIFY row_number() OVER (
            PARTITION BY board, algorithm, implementation, flags, op ORDER BY fall DESC, ad, m
        ) = 1
        """,
        measured=rows,
    )
    return [
        Doubt(
            r["board"],
            r["algorithm"],
            r["implementation"],
            r["flags"],
            f"{r['op']} of {r['m']} bytes takes {r['fall']:.0%} fewer cycles ({r['cycles']:,}) "
            f"than of {r['shorter_m']} bytes ({r['shorter_cycles']:,})"
            + (f", with {r['ad']} bytes of associated data" if r["ad"] else ""),
        )
        for r in table.to_pylist()
    ]


def directions(rows: pa.Table) -> list[Doubt]:
    """Decryption that costs far more or less than encryption; of each build the worst case."""
    table = query(
        f"""
        SELECT e.board, e.algorithm, e.implementation, e.flags, e.ad, e.m,
               e.cycles AS enc, d.cycles AS dec, d.cycles / e.cycles AS ratio
        FROM measured AS e JOIN measured AS d
          ON (e.board, e.algorithm, e.implementation, e.flags, e.ad, e.m, e.buffers)
           = (d.board, d.algorithm, d.implementation, d.flags, d.ad, d.m, d.buffers)
        WHERE e.op = 'enc' AND d.op = 'dec' AND e.cycles > 0 AND d.cycles IS NOT NULL
          AND abs(d.cycles / e.cycles - 1) > {DIRECTION_LIMIT}
        QUALIFY row_number() OVER (
            PARTITION BY e.board, e.algorithm, e.implementation, e.flags
            ORDER BY abs(ln(d.cycles / e.cycles)) DESC, e.ad, e.m
        ) = 1
        """,
        measured=rows,
    )
    return [
        Doubt(
            r["board"],
            r["algorithm"],
            r["implementation"],
            r["flags"],
            f"dec takes {r['ratio']:.2f} times the cycles of enc ({r['dec']:,} and {r['enc']:,}) "
            f"for {r['m']} bytes with {r['ad']} bytes of associated data",
        )
        for r in table.to_pylist()
    ]


def levels(rows: pa.Table) -> list[Doubt]:
    """-O3 that is slower than -Os or -O2, or faster beyond belief; mean over the common cases."""
    table = query(
        f"""
        SELECT fast.board, fast.algorithm, fast.implementation, fast.flags, slow.flags AS other,
               exp(avg(ln(fast.cycles / slow.cycles))) AS ratio
        FROM measured AS fast JOIN measured AS slow
          ON (fast.board, fast.algorithm, fast.implementation, fast.op, fast.ad, fast.m)
           = (slow.board, slow.algorithm, slow.implementation, slow.op, slow.ad, slow.m)
         AND fast.buffers = slow.buffers
         AND replace(fast.flags, '-O3', '') = regexp_replace(slow.flags, '-O[s2]', '')
        WHERE regexp_matches(fast.flags, '(^| )-O3( |$)')
          AND regexp_matches(slow.flags, '(^| )-O[s2]( |$)')
          AND fast.cycles > 0 AND slow.cycles > 0
        GROUP BY ALL
        HAVING ratio > {LEVEL_SLOWER_LIMIT} OR ratio < {LEVEL_FASTER_LIMIT}
        """,
        measured=rows,
    )
    return [
        Doubt(
            r["board"],
            r["algorithm"],
            r["implementation"],
            r["flags"],
            f"{r['flags']} takes {r['ratio']:.2f} times the cycles of {r['other']} "
            "(geometric mean over all cases)",
        )
        for r in table.to_pylist()
    ]
