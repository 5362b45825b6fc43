"""Writes `published/nist-lwc.csv` from a clone of NIST's benchmarking repository.

    python scripts/published_nist CLONE

For each variant on each board: the fastest of all packages and levels for some lengths, in cycles,
and the smallest in flash. It excludes rows that are invalid according to
`pennyweight.accuracy.sets`, and packages that `pennyweight coverage` finds wrong on the part
itself, because the boards' times were measured without checking the output.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path

from pennyweight.accuracy.sets import bad_reason
from pennyweight.benchmarks.nist import Clone, Row
from pennyweight.benchmarks.nist_boards import NIST_BOARDS, NistBoard
from pennyweight.catalogue import load
from pennyweight.catalogue.root import data_root
from pennyweight.model import Case, Kind, Operation

CASES = {
    Kind.AEAD: tuple(
        Case(op, ad, m)
        for op in (Operation.ENC, Operation.DEC)
        for ad, m in ((0, 16), (16, 16), (16, 64), (128, 128))
    ),
    Kind.HASH: tuple(Case(Operation.HASH, 0, m) for m in (16, 128, 512)),
}
WRONG = (
    # An `int` of 16 bits is used as one of 32: all of their known answers fail.
    ("uno nano_every", "sha256", "nacl_*"),
    ("uno nano_every", "tinyjambu*v2", "opt"),
    ("uno nano_every", "tinyjambu*v2", "ref"),
    ("uno nano_every", "photonbeetleaead128rate*v1", "bitslice_sb8"),
    # Decryption accepts any tag.
    ("*", "aes-gcm", "felicsv0?"),
    # So does this one: it overwrites the computed tag with the received one.
    ("*", "romulusm", "opt32t"),
)
"""Patterns of boards, variants and implementations that are fast or small because they are
wrong.
"""

COLUMNS = ("label", "algorithm", "board", "op", "ad", "m", "metric", "value")


def main(clone: Path) -> None:
    """Writes the file."""
    target = data_root() / "published" / "nist-lwc.csv"
    with target.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for board in NIST_BOARDS:
            writer.writerows(lines(Clone(clone), board))


def lines(clone: Clone, board: NistBoard) -> Iterator[tuple[object, ...]]:
    """The lines of one board."""
    names = {
        (kind, alias): variant.name
        for algorithm in load().algorithms.values()
        for variant in (algorithm.variant,)
        for kind in (variant.kind,)
        for alias in (variant.name, *variant.aliases)
    }
    by_variant: dict[tuple[Kind, str], list[Row]] = {}
    for row in clone.rows(board.id):
        bad = bad_reason(board.id, row.variant, row.implementation, row.level)
        if not bad and not is_wrong(board.id, row):
            by_variant.setdefault((row.kind, row.variant), []).append(row)
    for (kind, variant), rows in by_variant.items():
        algorithm = names.get((kind, variant))
        if algorithm is None:
            continue
        for case in CASES[kind]:
            timed = [row for row in rows if case in row.figures]
            if timed:
                best = min(timed, key=lambda row: row.figures[case])
                cycles = best.figures[case] * board.cycles_per_unit
                yield (
                    f"{variant}: {best.implementation} {best.level}",
                    algorithm,
                    board.board,
                    case.op.value,
                    case.ad,
                    case.m,
                    "cycles",
                    cycles,
                )
        sized = [(row.flash, row) for row in rows if row.flash is not None]
        if sized:
            size, smallest = min(sized, key=lambda each: each[0])
            label = f"{variant}: {smallest.implementation} {smallest.level}"
            yield label, algorithm, board.board, "", "", "", "flash", size


def is_wrong(board: str, row: Row) -> bool:
    """Whether the package is known to give wrong answers on the board."""
    return any(
        (boards == "*" or board in boards.split())
        and fnmatchcase(row.variant, variant)
        and fnmatchcase(row.implementation, implementation)
        for boards, variant, implementation in WRONG
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
