"""Flags each figure that looks wrong, with a sentence; hides none.

A flagged figure is a reason to examine the implementation or the simulator. The limits have the
following reasons. A partial last block has to be gathered and padded, so cycles may decrease a
little from just below a whole number of blocks to that number (SHA-256 from 63 to 64 bytes).
Messages that end at the same position in a block do not save that, and never become cheaper. Parts
that do not process the message, such as its padding and final rounds, cost what the last block
needs, however long the message is: only messages that end at the same position are compared.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import pyarrow as pa

from pennyweight.analysis.facts import DEFAULT_BLOCK, AlgorithmFacts, block_table
from pennyweight.analysis.rows import query
from pennyweight.model import Operation

SAME_PLACE_LIMIT = 0.01
"""A message that ends at the same position in a later block may cost this fraction less: only the
memory's state at the call differs."""

GATHERING_LIMIT = 0.5
"""A whole block may save this fraction of a block's cycles: gathering and padding access each byte
once or twice, the cipher's rounds many times."""

FALL_LIMIT = 0.10
"""A longer message may cost this fraction less if no two lengths show the cost of a block."""

_OF_ITS_LENGTH = (
    *(Operation.ENC, Operation.DEC, Operation.HASH, Operation.AUTH, Operation.AUTH_VERIFY),
    *(Operation.AD, Operation.ENCRYPT, Operation.DECRYPT, Operation.UPDATE),
)
"""Operations that process a message, and whose cost therefore grows with it."""

DIRECTION_LIMIT = 0.25
"""Decryption may differ from encryption by this fraction."""

LEVEL_SLOWER_LIMIT = 1.10
"""-O3 may cost this many times the cycles of -Os or -O2."""

LEVEL_FASTER_LIMIT = 0.25
"""-O3 may reduce the cycles to this fraction of -Os or -O2."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """A doubtful figure, with the reason."""

    board: str
    algorithm: str
    implementation: str
    flags: str
    sentence: str


def doubts(rows: pa.Table, algorithms: Iterable[AlgorithmFacts] = ()) -> list[Doubt]:
    """Everything that looks wrong in these rows, ordered by board and implementation.

    The block sizes are those of `algorithms`, or 64 bytes if unknown.
    """
    found = [*falling(rows, algorithms), *directions(rows), *levels(rows)]
    return sorted(
        found, key=lambda d: (d.board, d.algorithm, d.implementation, d.flags, d.sentence)
    )


_FALLING = f"""
WITH lengths AS (
    SELECT board, algorithm, implementation, flags, op, ad, buffers, m, cycles,
           coalesce(a.block, {DEFAULT_BLOCK}) AS block
    FROM measured AS r LEFT JOIN algorithms AS a ON a.name = r.algorithm
    WHERE cycles IS NOT NULL
), steps AS (
    SELECT *, lag(m) OVER next AS before_m, lag(cycles) OVER next AS before,
           lag(m) OVER same AS same_m, lag(cycles) OVER same AS same
    FROM lengths
    WINDOW next AS (
        PARTITION BY board, algorithm, implementation, flags, op, ad, buffers ORDER BY m
    ), same AS (
        PARTITION BY board, algorithm, implementation, flags, op, ad, buffers, m % block ORDER BY m
    )
), costs AS (
    SELECT *, median((cycles - same) * block / (m - same_m)) OVER (
        PARTITION BY board, algorithm, implementation, flags, op, ad, buffers
    ) AS block_cycles FROM steps
), fallen AS (
    SELECT *, same_m AS shorter_m, same AS shorter FROM costs
    WHERE cycles < same * (1 - {SAME_PLACE_LIMIT})
    UNION ALL
    SELECT *, before_m AS shorter_m, before AS shorter FROM costs
    WHERE before - cycles > CASE WHEN block_cycles > 0 THEN {GATHERING_LIMIT} * block_cycles
                                 ELSE {FALL_LIMIT} * before END
      AND op IN ({", ".join(f"'{op}'" for op in _OF_ITS_LENGTH)})
)
SELECT *, 1 - cycles / shorter AS fall FROM fallen
QUALIFY row_number() OVER (
    PARTITION BY board, algorithm, implementation, flags, op ORDER BY fall DESC, ad, m, shorter_m
) = 1
"""


def falling(rows: pa.Table, algorithms: Iterable[AlgorithmFacts] = ()) -> list[Doubt]:
    """Cycles that decrease as the message grows; for each build and operation the largest
    decrease.
    """
    table = query(_FALLING, measured=rows, algorithms=block_table(algorithms))
    return [
        Doubt(
            r["board"],
            r["algorithm"],
            r["implementation"],
            r["flags"],
            f"{r['op']} of {_bytes(r['m'])} takes {r['fall']:.0%} fewer cycles ({r['cycles']:,}) "
            f"than {_bytes(r['shorter_m'])} ({r['shorter']:,})"
            + (f", with {_bytes(r['ad'])} of associated data" if r["ad"] else ""),
        )
        for r in table.to_pylist()
    ]


def _bytes(number: int) -> str:
    return "1 byte" if number == 1 else f"{number:,} bytes"


def directions(rows: pa.Table) -> list[Doubt]:
    """Decryption that costs far more or less than encryption; for each build the worst case."""
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
            f"for {_bytes(r['m'])} with {_bytes(r['ad'])} of associated data",
        )
        for r in table.to_pylist()
    ]


def levels(rows: pa.Table) -> list[Doubt]:
    """-O3 that is slower than -Os or -O2, or implausibly faster; mean over the common cases."""
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
