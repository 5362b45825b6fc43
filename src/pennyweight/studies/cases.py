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
    """Lengths from a number, a list of numbers or a table from, to, step. Raises ValueError."""
    if isinstance(value, Mapping):
        return _read_range(value)
    if isinstance(value, list | tuple):
        if not value:
            raise ValueError("the list is empty: give at least one length")
        return tuple(_length(item) for item in value)
    return (_length(value),)


def _read_range(table: Mapping[object, object]) -> tuple[int, ...]:
    """Lengths at equal distances, both ends included."""
    if "to" not in table or not set(table) <= {"from", "to", "step"}:
        raise ValueError("a range is written { from = 0, to = 256, step = 4 }")
    first, last = _length(table.get("from", 0)), _length(table["to"])
    step = _length(table.get("step", 1))
    if step == 0:
        raise ValueError("a step of 0 would never arrive: give at least 1")
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

    `ops` are the one-shot functions of the kind unless they are given; the parts of the
    incremental API can be named too, and an implementation without them has rows that say so.
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
                raise ValueError(f"'ops' of kind '{self.kind}' are {allowed}, not '{op}'")
        if self.kind is not Kind.AEAD and self.ad != (0,):
            raise ValueError(f"kind '{self.kind}' has no associated data: leave 'ad' out")
        if self.count > MOST_CASES:
            raise ValueError(
                f"'{self.name}' has {self.count:,} cases, and a job may have {MOST_CASES:,}: give "
                "the ranges a larger 'step'"
            )
        return self

    @property
    def count(self) -> int:
        """How many cases it has, before any is made."""
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
    """What cases of a kind can call: the one-shot functions, then the incremental parts."""
    more = (Operation.SQUEEZE,) if kind is Kind.HASH else KEY_SETUP
    return (*ONE_SHOT[kind], *PARTS[kind], *more)
