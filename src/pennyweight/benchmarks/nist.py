"""Reads a clone of NIST's benchmarking repository: the boards' figures and the packages."""

from __future__ import annotations

import csv
import hashlib
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from pennyweight.model import Case, Kind, Operation, UserError
from pennyweight.paths import expand_user

ADDRESS = "https://github.com/usnistgov/Lightweight-Cryptography-Benchmarking"

_COLUMN = re.compile(r"(?:(?P<op>enc|dec)\((?P<ad>\d+):(?P<m>\d+)\)|h\((?P<h>\d+)\))")
_NAMES = ("variant", "implementation", "config")
_LEVELS = {"os": "-Os", "o1": "-O1", "o2": "-O2", "o3": "-O3"}


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a board's CSV: one package at one optimisation level, with the board's figures."""

    kind: Kind
    variant: str
    implementation: str
    level: str
    """As a compiler flag."""
    figures: dict[Case, int]
    """In the board's unit; missing figures are absent."""
    flash: int | None = None
    """Bytes of both directions, minus the benchmark's empty program."""

    @property
    def id(self) -> str:
        """`variant/implementation level`, as in tables."""
        return f"{self.variant}/{self.implementation} {self.level}"


class Clone:
    """Checks the clone at `root`. Raises `UserError`; `given` is the option or argument that named
    it.
    """

    def __init__(self, root: Path, given: str = "--nist") -> None:
        self.root = root
        for name in ("benchmarks", "implementations"):
            if not (root / name).is_dir():
                raise UserError(
                    f"{given}: {root} has no folder '{name}'; use the path of a clone of {ADDRESS}"
                )

    def rows(self, board: str) -> list[Row]:
        """All rows of a board, AEADs first. Raises `UserError`."""
        return [row for kind in (Kind.AEAD, Kind.HASH) for row in self._rows(board, kind)]

    def has(self, board: str) -> bool:
        """Whether there are figures of this board."""
        return any(self._file(board, kind).is_file() for kind in (Kind.AEAD, Kind.HASH))

    def package(self, row: Row) -> Path | None:
        """The folder of a row's package, if the clone has it."""
        return self._packages.get((row.kind, row.variant, row.implementation))

    def source(self, board: str, kind: Kind) -> str:
        """The file of a board's rows of one kind, and its digest. Raises `UserError`."""
        path = self._file(board, kind)
        try:
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
        except OSError as error:
            raise UserError(f"{path} cannot be read ({error}); take it from {ADDRESS}") from None
        return f"{path.relative_to(self.root).as_posix()} (SHA-256 {digest[:16]}…)"

    @cached_property
    def _packages(self) -> dict[tuple[Kind, str, str], Path]:
        kinds = {"crypto_aead": Kind.AEAD, "crypto_hash": Kind.HASH}
        return {
            (kinds[path.parents[2].name], path.parents[1].name, path.parent.name): path.parent
            for path in sorted(self.root.glob("implementations/*/crypto_*/*/*/api.h"))
            if path.parents[2].name in kinds
        }

    def _file(self, board: str, kind: Kind) -> Path:
        return self.root / "benchmarks" / f"{board}-{kind.value}-summary.csv"

    def _rows(self, board: str, kind: Kind) -> list[Row]:
        path = self._file(board, kind)
        try:
            with path.open(newline="", encoding="utf-8") as file:
                reader = csv.DictReader(file)
                missing = [name for name in _NAMES if name not in (reader.fieldnames or ())]
                if missing:
                    raise UserError(
                        f"{path}: line 1 has no column '{missing[0]}'; take the file from {ADDRESS}"
                    )
                cases = _cases(reader.fieldnames or ())
                return [_row(kind, line, cases, path, reader.line_num) for line in reader]
        except FileNotFoundError:
            raise UserError(
                f"{path} is missing; take the whole repository from {ADDRESS}"
            ) from None
        except (OSError, UnicodeDecodeError, csv.Error) as error:
            raise UserError(f"{path} cannot be read ({error}); take it from {ADDRESS}") from None


def _cases(columns: object) -> dict[str, Case]:
    """The columns that contain figures."""
    assert isinstance(columns, (list, tuple))
    found = {}
    for column in columns:
        match = _COLUMN.fullmatch(column)
        if match and match["h"] is not None:
            found[column] = Case(Operation.HASH, 0, int(match["h"]))
        elif match:
            found[column] = Case(Operation(match["op"]), int(match["ad"]), int(match["m"]))
    return found


def _row(kind: Kind, line: dict[str, str], cases: dict[str, Case], path: Path, number: int) -> Row:
    level = _LEVELS.get(line["config"])
    if level is None:
        raise UserError(
            f"{path}: line {number}: config '{line['config']}' is not one of {', '.join(_LEVELS)}; "
            f"take the file from {ADDRESS}"
        )
    figures = {}
    for column, case in cases.items():
        text = line[column]
        if text in ("-", "", None):
            continue
        # One of the files writes its whole numbers as "5006616.0".
        text = text.removesuffix(".0")
        if not text.isdecimal():
            raise UserError(
                f"{path}: line {number}: {column} is '{text}', which is not a number; "
                f"take the file from {ADDRESS}"
            )
        figures[case] = int(text)
    flash = line.get("flash") or ""
    size = int(flash) if flash.isdecimal() else None
    return Row(kind, line["variant"], line["implementation"], level, figures, size)


def read_clone(path: str, given: str = "--nist") -> Clone:
    """The clone at `path`; `given` is the option or argument that named it. Raises `UserError`."""
    return Clone(expand_user(path), given)
