"""The page that ranks algorithms for given lengths and limits."""

from __future__ import annotations

from typing import Any

from pennyweight.analysis.advice import RECOMMENDED, STATUSES, status_of
from pennyweight.model import Kind
from pennyweight.report.board_rows import algorithms_of
from pennyweight.report.data import NOT_CONSTANT_TIME, ReportData
from pennyweight.report.pages.shared import ENERGY_NOTE, KIND_TITLES
from pennyweight.report.tables import Column, Table

FILE = "choose.html"

LEAKAGE_NOT_CHECKED = (
    "What is masked: all blocks, or the ends only, which are initialization and finalization. "
    "Whether the shares meet in the program is not checked; the command `leakage` does. In bundled "
    "C with two shares, they meet on all cores that were checked."
)


def content(data: ReportData) -> dict[str, Any] | None:
    """The page's content; None if nothing was measured."""
    if not data.kinds:
        return None
    kind = data.kinds[0]
    reference = data.reference(kind)
    assert reference is not None
    return {
        "boards": list(data.boards.values()),
        "kinds": [(each.value, KIND_TITLES[each].lower()) for each in data.kinds],
        "message": reference.m,
        "ad": reference.ad if kind is Kind.AEAD else 16,
        "algorithms": algorithms_of(data),
        "statuses": _statuses(data),
        "orders": sorted(
            {each.shares - 1 for each in data.implementations.values() if each.shares}
        ),
        "ranking": Table(
            id="choice",
            caption="Best build of each algorithm within the limits",
            columns=(
                Column("Algorithm"),
                Column("Status"),
                Column("Implemen\u00adtation"),
                Column("Flags"),
                Column("Cycles", numeric=True),
                Column("Relative to best", numeric=True),
                Column("Time", "µs", numeric=True),
                Column("Through\u00adput", "KB/s", numeric=True),
                Column("Energy", "µJ, estimate", numeric=True, note=ENERGY_NOTE),
                Column("Messages", "per battery, estimate", numeric=True, note=ENERGY_NOTE),
                Column("Flash", "bytes", numeric=True),
                Column("Static RAM", "bytes", numeric=True),
                Column("Stack", "bytes", numeric=True),
                Column("Tag", "bytes", numeric=True),
                # Only shown for a ranking of masked implementations.
                Column("Shares", numeric=True),
                Column("Masked", note=LEAKAGE_NOT_CHECKED),
                Column("Random words", numeric=True),
                Column("Waiting", "cycles", numeric=True),
            ),
            rows=(),
            footnote=NOT_CONSTANT_TIME,
        ),
    }


def _statuses(data: ReportData) -> list[tuple[str, bool]]:
    """The statuses of the measured algorithms, and whether each is ranked by default."""
    found = {status_of(each) for each in data.algorithms.values()}
    known = [each for each in STATUSES if each in found]
    return [(each, each in RECOMMENDED) for each in [*known, *sorted(found - set(known))]]
