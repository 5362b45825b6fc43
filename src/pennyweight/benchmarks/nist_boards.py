"""The boards of NIST's benchmark, from `nist_boards.toml` in the same folder."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path

from pydantic import Field

from pennyweight.benchmarks.nist import Clone
from pennyweight.benchmarks.nist_harness import Harness, SerialLine, Timer
from pennyweight.catalogue import Catalogue
from pennyweight.catalogue.suggest import did_you_mean
from pennyweight.catalogue.tomlfile import Table, parse
from pennyweight.model import Case, Kind, UserError


class NistBoard(Table):
    """One board of the benchmark; `nist_boards.toml` explains the fields."""

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
        """Whether a compiler, by its `--version`, is newer than the one used for the board."""
        major = re.search(r"(?:\) |^\S+ )(\d+)\.\d", version)
        then = self.compiler_major
        return then is not None and (major is None or int(major[1]) > then)

    def flags_at(self, level: str, version: str) -> str:
        """The flags for a row of this level with a compiler of this `--version`."""
        undone = (self.as_then, self.level_flags.get(level)) if self.is_newer(version) else ()
        return " ".join(filter(None, (level, self.flags, *undone)))

    def spent(self, kind: Kind, level: str, own: Mapping[Case, int]) -> dict[Case, int]:
        """The time that the board's clock would show for calls of `own` cycles, including
        interrupts.
        """
        return Harness(self.timer, self.line, self.cycles_per_unit).spent(kind, level, own)


class _File(Table):
    boards: tuple[NistBoard, ...]


def _read() -> tuple[NistBoard, ...]:
    text = (files("pennyweight.benchmarks") / "nist_boards.toml").read_text(encoding="utf-8")
    return parse(text, Path("nist_boards.toml"), _File).boards


NIST_BOARDS = _read()


def choose_boards(names: Sequence[str], clone: Clone, catalogue: Catalogue) -> list[NistBoard]:
    """The requested boards, by Pennyweight's or NIST's name; default: all comparable boards.

    Raises `UserError` for a board that is unknown, or has no board file or no figures.
    """
    if not names:
        found = [
            each for each in NIST_BOARDS if each.board in catalogue.boards and clone.has(each.id)
        ]
        if not found:
            raise UserError(f"--nist: {clone.root}/benchmarks has no figures of a supported board")
        return found
    by_name = {name: each for each in NIST_BOARDS for name in (each.id, each.board)}
    chosen = []
    for name in names:
        each = by_name.get(name)
        if each is None:
            raise UserError(
                f"--board: NIST's benchmark has no figures for '{name}':"
                f"{did_you_mean(name, by_name)} it has {', '.join(e.board for e in NIST_BOARDS)}"
            )
        if each.board not in catalogue.boards:
            raise UserError(
                f"--board: there is no board file '{each.board}' yet, so NIST's {each.id} "
                "cannot be compared; `pennyweight boards` lists the boards"
            )
        chosen.append(each)
    return list({each.id: each for each in chosen}.values())
