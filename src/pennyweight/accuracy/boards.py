"""The boards of NIST's benchmark, from `boards.toml` beside this file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

from pydantic import Field

from pennyweight.accuracy.harness import Harness, SerialLine, Timer
from pennyweight.catalogue.tomlfile import Table, parse
from pennyweight.model import Case, Kind


class NistBoard(Table):
    """One board of the benchmark; `boards.toml` says what the fields are."""

    id: str
    board: str
    title: str
    unit: str
    cycles_per_unit: int
    step: int
    why: str
    compiler: str
    compiler_major: int | None = None
    flags: str = ""
    as_then: str = ""
    level_flags: dict[str, str] = Field(default_factory=dict)
    assembly_only: bool = False
    bytewise_library: bool = False
    remarks: tuple[str, ...] = ()
    counter: int | None = None
    aim: tuple[float, float] | None = None
    timer: Timer | None = None
    line: SerialLine | None = None

    def is_newer(self, version: str) -> bool:
        """Whether a compiler, by its `--version`, is newer than the one that the board had."""
        major = re.search(r"(?:\) |^\S+ )(\d+)\.\d", version)
        then = self.compiler_major
        return then is not None and (major is None or int(major[1]) > then)

    def flags_at(self, level: str, version: str) -> str:
        """What our compiler of this `--version` is given for a row of this level."""
        undone = (self.as_then, self.level_flags.get(level)) if self.is_newer(version) else ()
        return " ".join(filter(None, (level, self.flags, *undone)))

    def spent(self, kind: Kind, level: str, own: Mapping[Case, int]) -> dict[Case, int]:
        """What the board's clock shows for calls that take `own` cycles: interrupts included."""
        return Harness(self.timer, self.line, self.cycles_per_unit).spent(kind, level, own)


class _File(Table):
    boards: tuple[NistBoard, ...]


def _read() -> tuple[NistBoard, ...]:
    text = (files("pennyweight.accuracy") / "boards.toml").read_text(encoding="utf-8")
    return parse(text, Path("boards.toml"), _File).boards


NIST_BOARDS = _read()
