"""How much of FELICS-AE can be built, verified and measured, according to its result files.

Only the existence of the figures matters, not their values.
"""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from pennyweight.benchmarks.felics import BOARDS, result_files, result_rows
from pennyweight.catalogue import Catalogue
from pennyweight.coverage.pairs import (
    PAIRS,
    Coverage,
    Pair,
    board_with_compiler,
    plan,
    tried,
)
from pennyweight.model import Case, Kind, Operation, UserError
from pennyweight.progress import Progress
from pennyweight.snapshot import snapshot_scope

_CIPHERS = Path("source") / "ciphers"

_CASES = tuple(Case(op, ad, m) for op in (Operation.ENC, Operation.DEC) for ad, m in PAIRS)

Listed = tuple[str, str, str]
"""A cipher, its version, the flags."""


def listed(root: Path) -> dict[str, list[Listed]]:
    """The entries of a clone's result files, by board; each once, in order. Raises `UserError`.

    Architectures without a simulated board are skipped.
    """
    found: dict[str, dict[Listed, None]] = {}
    for file in result_files(root):
        for row in result_rows(file):
            if row["architecture"] in BOARDS:
                board = BOARDS[row["architecture"]][0]
                which = (row["cipher_name"], row["version"], row["compiler_options"])
                found.setdefault(board, {})[which] = None
    return {board: list(rows) for board, rows in found.items()}


def chosen(root: Path, names: Sequence[str]) -> dict[str, list[Listed]]:
    """The entries of the requested boards, by default of all. Raises `UserError`."""
    known = listed(root)
    for name in names:
        if name not in known:
            raise UserError(
                f"--board: {root} has no figures for '{name}'; choose from {', '.join(known)}"
            )
    return {board: known[board] for board in names or known}


def cover(
    root: Path,
    board_name: str,
    figures: Sequence[Listed],
    catalogue: Catalogue,
    only: Sequence[str],
    levels: Sequence[str],
    every: int,
    workers: int | None,
    progress: Progress,
) -> Coverage:
    """Tries the entries of a board; `only` are shell patterns for ciphers, `levels` flags such as
    -O3, all if empty; every Nth pair is tried, as given by `every`.

    Raises `UserError`: a missing compiler, nothing to try.
    """
    board = board_with_compiler(board_name, catalogue)
    rows = [
        row
        for row in figures
        if (not levels or row[2] in levels)
        and (not only or any(fnmatchcase(row[0].casefold(), each.casefold()) for each in only))
    ][::every]
    if not rows:
        raise UserError(f"--only: no figure of {board_name} matches; remove a filter")
    with snapshot_scope():
        planned = [
            plan(_pair(row, board_name), _folder(root, row), root, board, _CASES, catalogue)
            for row in rows
        ]
    title = next(title for name, title, _ in BOARDS.values() if name == board_name)
    return tried(f"FELICS-AE, {title}", planned, board, workers, progress)


def _folder(root: Path, row: Listed) -> Path | None:
    cipher, version, _ = row
    folder = root / _CIPHERS / f"{cipher}_v{version}" / "source"
    return folder if folder.is_dir() else None


def _pair(row: Listed, board: str) -> Pair:
    cipher, version, flags = row
    return Pair(str(Kind.AEAD), cipher, version, board, flags)
