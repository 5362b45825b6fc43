"""What a search minimises: cycles, flash or RAM of a build."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pennyweight.analysis.means import geometric
from pennyweight.model import Measurement, Status

Aim = Literal["cycles", "flash", "ram"]

UNITS: dict[Aim, str] = {"cycles": "cycles", "flash": "bytes of flash", "ram": "bytes of RAM"}


def cost(rows: Sequence[Measurement], aim: Aim) -> tuple[float, float] | None:
    """The objective of a build and what decides between equal ones; `None` if a case has failed.

    Cycles are the geometric mean over all cases, flash is in bytes, and RAM is static RAM with the
    largest stack in bytes. Cycles decide between builds with equal flash or RAM, flash between
    builds with equal cycles.
    """
    if not rows or any(row.status != Status.OK for row in rows):
        return None
    cycles = geometric([float(row.cycles or 0) for row in rows]).mean
    flash = float(rows[0].flash or 0)
    if aim == "cycles":
        return cycles, flash
    if aim == "flash":
        return flash, cycles
    return float((rows[0].ram or 0) + max(row.stack or 0 for row in rows)), cycles
