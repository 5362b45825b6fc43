"""The cases of a study: named groups of operations and lengths."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from pydantic import BeforeValidator, Field, model_validator

from pennyweight.catalogue.implementation import KEY_SETUP, ONE_SHOT, PARTS
from pennyweight.catalogue.tomlfile import Table
from pennyweight.lengths import LONGEST
from pennyweight.model import MOST_CASES, Case, Kind, Operation


def read_lengths(value: object) -> tuple[int, ...]:
    """Lengths from a number, a list, or a table with from, to and step. Raises ValueError."""
    if isinstance(value, Mapping):
        return _read_range(value)
    if isinstance(value, list | tuple):
        if not value:
            raise ValueError("the list is empty: give at least one length")
        return tuple(_length(item) for item in value)
    return (_length(value),)


def _read_range(table: Mapping[object, object]) -> tuple[int, ...]:
    """Equidistant lengths, including both ends."""
    if "to" not in table or not set(table) <= {"from", "to", "step"}:
        raise ValueError("a range has the form { from = 0, to = 256, step = 4 }")
    first, last = _length(table.get("from", 0)), _length(table["to"])
    step = _length(table.get("step", 1))
    if step == 0:
        raise ValueError("the step is 0: use at least 1")
    if last < first:
        raise ValueError(f"the range goes from {first} down to {last}: swap them")
    return tuple(range(first, last + 1, step))


def _length(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= LONGEST:
        raise ValueError(f"a length is a whole number of bytes from 0 to {LONGEST}, not {value!r}")
    return value


Lengths = Annotated[tuple[int, ...], BeforeValidator(read_lengths)]


class Scenario(Table):
    """A named group of cases of one kind of algorithm; lengths in bytes.

    `ops` selects operations; default: the one-shot functions of the kind. Parts of the incremental
    API may be named too; implementations without them get rows that state it.
    """

    name: Annotated[str, Field(min_length=1, max_length=60)]
    title: str = ""
    kind: Kind
    ops: tuple[Operation, ...] = ()
    ad: Lengths = (0,)
    m: Lengths

    @model_validator(mode="after")
    def _fits_the_kind(self) -> Scenario:
        known = operations_of(self.kind)
        for op in self.ops:
            if op not in known:
                allowed = f"{', '.join(known[:-1])} or {known[-1]}"
                raise ValueError(f"'ops' of kind '{self.kind}' must be {allowed}, not '{op}'")
        if self.kind is not Kind.AEAD and self.ad != (0,):
            raise ValueError(f"kind '{self.kind}' has no associated data: remove 'ad'")
        if self.count > MOST_CASES:
            raise ValueError(
                f"'{self.name}' has {self.count:,} cases, but a job may have {MOST_CASES:,}: give "
                "the ranges a larger 'step'"
            )
        return self

    @property
    def count(self) -> int:
        """Number of cases, computed without creating them."""
        return len(self.ops or ONE_SHOT[self.kind]) * len(self.ad) * len(self.m)

    def cases(self) -> list[Case]:
        """Every operation at every pair of lengths."""
        return [
            Case(op, ad, m)
            for op in self.ops or ONE_SHOT[self.kind]
            for ad in self.ad
            for m in self.m
        ]


def operations_of(kind: Kind) -> tuple[Operation, ...]:
    """The operations of a kind: the one-shot functions, then the incremental parts."""
    more = (Operation.SQUEEZE,) if kind is Kind.HASH else KEY_SETUP
    return (*ONE_SHOT[kind], *PARTS[kind], *more)
