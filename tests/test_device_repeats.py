"""The counts of a call that is repeated on a real board."""

from __future__ import annotations

from dataclasses import fields
from types import SimpleNamespace
from typing import cast

import pyarrow as pa
import pytest

from pennyweight.measure.case_costs import Counts, repeated
from pennyweight.model import Measurement
from pennyweight.store.schema import measurement_schema, what_is_wrong
from pennyweight.target import Result


@pytest.mark.parametrize(
    ("cycles", "median", "least", "spread"),
    [
        ((107, 100, 103), 103, 100, 7),
        ((100, 140, 104, 102), 103, 100, 40),
        ((100, 140), 120, 100, 40),
        ((5, 5, 5, 5), 5, 5, 0),
    ],
)
def test_a_repeated_call_has_its_median_minimum_and_spread(
    cycles: tuple[int, ...], median: int, least: int, spread: int
) -> None:
    left = list(cycles)

    def once() -> Result:
        outcome = SimpleNamespace(cycles=left.pop(0), instructions=None, random=(0, 0))
        return cast(Result, SimpleNamespace(outcome=outcome, stack=40, random_words=0))

    found = repeated(once, lambda _: None, buffered=False, repeats=len(cycles))
    assert isinstance(found, Counts)
    assert (found.cycles, found.least, found.spread) == (median, least, spread)
    assert not left


def test_results_without_the_minimum_can_be_read() -> None:
    """Those of earlier versions."""
    assert "cycles_least" in [each.name for each in fields(Measurement)]
    wanted = measurement_schema()
    earlier = pa.schema([each for each in wanted if each.name != "cycles_least"])
    assert what_is_wrong(earlier, wanted) is None
