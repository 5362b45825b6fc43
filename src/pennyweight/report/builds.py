"""The builds of one kind on one board, compared at the reference case."""

from __future__ import annotations

from dataclasses import dataclass

from pennyweight.analysis.choice import Purpose, best_builds
from pennyweight.model import Kind
from pennyweight.report.data import SECOND, ReportData

_BUILDS = """
SELECT r.algorithm, r.title, r.implementation, r.flags, r.job,
       r.cycles, r.cycles_per_byte, r.time_us, r.energy_uj_estimate AS energy_uj,
       r.instructions, r.stack, r.flash, r.flash_enc, r.flash_dec, r.ram,
       r.ram + r.stack AS ram_total, d.cycles AS second_cycles,
       greatest(r.cycles_spread, d.cycles_spread) AS spread,
       f.setup_cycles, f.cycles_per_byte AS marginal, f.cycles_per_block, f.block,
       CASE WHEN f.cycles_per_byte > 0 THEN b.hz / f.cycles_per_byte END AS long_throughput
FROM rows AS r
LEFT JOIN rows AS d
  ON (d.algorithm, d.implementation, d.board, d.flags, d.ad, d.m)
   = (r.algorithm, r.implementation, r.board, r.flags, r.ad, r.m)
 AND d.op = ?
LEFT JOIN fits AS f
  ON (f.algorithm, f.implementation, f.board, f.flags, f.op, f.ad)
   = (r.algorithm, r.implementation, r.board, r.flags, r.op, r.ad)
LEFT JOIN (SELECT ?::VARCHAR AS id, ?::BIGINT AS hz) AS b ON b.id = r.board
WHERE r.board = ? AND r.kind = ? AND r.op = ? AND r.ad = ? AND r.m = ? AND r.cycles IS NOT NULL
ORDER BY r.cycles, r.flash, r.algorithm, r.implementation, r.flags
"""


@dataclass(frozen=True, slots=True)
class Build:
    """An implementation built with some flags, and its costs at the reference case.

    `spread` is that of repeated calls on a real board, the larger one of both operations, and null
    for a simulated board. `time_us` and `energy_uj` are null for a board without clock or current.
    `ram_total` is static RAM and stack. `setup_cycles`, `marginal` (cycles per byte) and
    `long_throughput` (bytes per second) are from the fitted line, and null if there are too few
    lengths for one.
    """

    algorithm: str
    title: str
    implementation: str
    flags: str
    job: str
    cycles: int
    cycles_per_byte: float | None
    time_us: float | None
    energy_uj: float | None
    instructions: int | None
    stack: int
    flash: int
    flash_enc: int | None
    flash_dec: int | None
    ram: int
    ram_total: int
    second_cycles: int | None
    spread: int | None
    setup_cycles: float | None
    marginal: float | None
    cycles_per_block: float | None
    block: int | None
    long_throughput: float | None

    @property
    def name(self) -> str:
        """Implementation and flags, which distinguish the builds of one algorithm."""
        return f"{self.implementation} {self.flags}"


def builds_on(data: ReportData, board: str, kind: Kind) -> list[Build]:
    """All builds that were measured at the reference case, fastest first."""
    reference = data.reference(kind)
    if reference is None:
        return []
    rows = data.query(
        _BUILDS,
        SECOND[kind].value if kind in SECOND else None,
        board,
        data.boards[board].hz,
        board,
        kind.value,
        reference.op.value,
        reference.ad,
        reference.m,
    )
    return [Build(**row) for row in rows]


def best_of(
    data: ReportData, builds: list[Build], board: str, kind: Kind, purpose: Purpose = "cycles"
) -> list[Build]:
    """The best build of each algorithm at the reference case, fastest first."""
    reference = data.reference(kind)
    if reference is None:
        return []
    rows = data.table(
        "SELECT * FROM rows WHERE board = ? AND kind = ? AND op = ? AND ad = ? AND m = ?",
        board,
        kind.value,
        reference.op.value,
        reference.ad,
        reference.m,
    )
    by_name = {(b.algorithm, b.implementation, b.flags): b for b in builds}
    chosen = best_builds(rows, purpose).to_pylist()
    return [by_name[c["algorithm"], c["implementation"], c["flags"]] for c in chosen]
