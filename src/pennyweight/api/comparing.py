"""Compares two sets of measurements as requested."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa

from pennyweight.analysis.comparison import compare
from pennyweight.api.options import some
from pennyweight.api.requests import CompareRequest
from pennyweight.comparison.inputs import Input
from pennyweight.comparison.pairing import compare_functions, read_inputs


@dataclass(frozen=True, slots=True)
class Inputs:
    """Both sets, and the keys that are not compared."""

    a: Input
    b: Input
    ignored: frozenset[str]


def inputs(request: CompareRequest) -> Inputs:
    """Reads the sets that a request names. Raises UserError."""
    return Inputs(
        *read_inputs(
            str(request.a),
            str(request.b),
            _pins(request.a_only),
            _pins(request.b_only),
            ",".join(some(request.metric, "metric")),
        )
    )


def compare_inputs(given: Inputs, functions: bool) -> pa.Table:
    """Their figures side by side, or bytes by function."""
    if functions:
        return compare_functions(given.a, given.b, given.ignored)
    return compare(given.a.figures, given.b.figures, given.ignored)


def _pins(only: Mapping[str, object] | Sequence[str] | None) -> list[str]:
    """Parses ``key=value`` pairs that select rows."""
    if isinstance(only, Mapping):
        return [f"{key}={value}" for key, value in only.items()]
    return list(only or ())
