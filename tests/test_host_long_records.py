"""The catalogue's digests of long messages are those of every implementation."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from host import long_records
from host.build import Bundled, bundled
from host.inputs import inputs_of
from host.known_answers import variant
from verdicts import Inputs, cached

LONG = [each for each in bundled() if not variant(each.algorithm).get("longest")]


def inputs(implementation: Bundled) -> Inputs:
    return inputs_of([implementation])


@pytest.mark.parametrize("implementation", LONG, ids=lambda each: each.id)
@cached("long inputs", inputs)
def test_the_catalogue_has_the_digests_of_long_messages(
    implementation: Bundled, program: Callable[[Bundled], Path]
) -> None:
    digests = long_records.digests_of(implementation, program(implementation))
    assert digests == variant(implementation.algorithm)["long"]
