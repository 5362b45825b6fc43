"""Reads `published.toml`: third-party counts, and how bundled code is measured alike."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import Field, StrictBool, model_validator

from pennyweight.catalogue.tomlfile import Table, parse, read_text

PUBLISHED = Path(__file__).with_name("published.toml")

_Positive = Annotated[float, Field(gt=0)]


class Source(Table):
    """Where a count is from."""

    text: str
    measured: StrictBool = False
    """Whether the source is code, measured on the same simulated board; otherwise, it states the
    count.
    """


class Own(Table):
    """How the bundled code is measured: a call of a function, or another byte of a long message."""

    sources: tuple[str, ...] = ()
    """Files, relative to `implementations/`, or to the repository if they begin with `tests/`."""
    include: tuple[str, ...] = ()
    """Folders with headers, relative to `implementations/`."""
    call: str = ""
    """As for `pennyweight time --call`."""
    defines: tuple[str, ...] = ()
    """Macros for the compiler."""
    divide: Annotated[int, Field(ge=1)] = 1
    """Blocks or bytes that a call processes."""
    algorithm: str = ""
    lengths: tuple[int, int] = (0, 0)
    """Two lengths in bytes: the difference of their cycles is divided by that of the lengths."""

    @model_validator(mode="after")
    def _is_one_of_both(self) -> Own:
        if bool(self.call) == bool(self.algorithm) or bool(self.call) != bool(self.sources):
            raise ValueError("give either 'sources' and 'call', or 'algorithm' and 'lengths'")
        if self.algorithm and not 0 < self.lengths[0] < self.lengths[1]:
            raise ValueError("'lengths' must be two lengths, the shorter first")
        return self


class Count(Table):
    """Cycles of a third-party implementation on a core, and the board that has this core here."""

    board: str
    cycles: _Positive
    source: str
    own: str


class Primitive(Table):
    """One primitive with the counts of it."""

    title: str
    constant_time: StrictBool = True
    """Whether the third-party code is; otherwise, it looks up secret-dependent tables."""
    figures: tuple[Count, ...]


class Published(Table):
    """The file."""

    source: dict[str, Source]
    own: dict[str, Own]
    primitive: tuple[Primitive, ...]

    @model_validator(mode="after")
    def _names_exist(self) -> Published:
        for primitive in self.primitive:
            for count in primitive.figures:
                if count.source not in self.source:
                    raise ValueError(
                        f"figures of {primitive.title}: there is no [source.{count.source}]"
                    )
                if count.own not in self.own:
                    raise ValueError(f"figures of {primitive.title}: there is no [own.{count.own}]")
        return self


def load(path: Path = PUBLISHED) -> Published:
    """The counts. Raises `UserError`, which names the field."""
    return parse(read_text(path), path, Published)
