"""How much of FELICS-AE runs here: of what its result files list, what builds, verifies, measures.

The figures themselves are not looked at, only that there are some.
"""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from pennyweight.accuracy.coverage import ABSENT, BUDGET, PAIRS, Coverage, Pair, judged
from pennyweight.campaign.engine import run_jobs
from pennyweight.campaign.plan import Job, make_job
from pennyweight.campaign.progress import Progress
from pennyweight.catalogue import Board, Catalogue
from pennyweight.catalogue.implementations import at_path
from pennyweight.imports.felics import BOARDS, result_files, result_rows
from pennyweight.measure import one_look
from pennyweight.model import Case, Kind, Operation, Status, UserError
from pennyweight.toolchains import missing

CIPHERS = Path("source") / "ciphers"

_CASES = tuple(Case(op, ad, m) for op in (Operation.ENC, Operation.DEC) for ad, m in PAIRS)

Listed = tuple[str, str, str]
"""A cipher, its version, the flags."""


def listed(root: Path) -> dict[str, list[Listed]]:
    """What the result files of a clone list, by our board; each once, in order. Raises `UserError`.

    Architectures of which no board is ours are passed over.
    """
    found: dict[str, dict[Listed, None]] = {}
    for file in result_files(root):
        for row in result_rows(file):
            if row["architecture"] in BOARDS:
                board = BOARDS[row["architecture"]][0]
                which = (row["cipher_name"], row["version"], row["compiler_options"])
                found.setdefault(board, {})[which] = None
    return {board: list(rows) for board, rows in found.items()}


def boards_of(root: Path, names: Sequence[str]) -> list[str]:
    """The boards that are asked for, all that have figures for none. Raises `UserError`."""
    known = listed(root)
    for name in names:
        if name not in known:
            raise UserError(
                f"--board: {root} has no figures of '{name}'; choose from {', '.join(known)}"
            )
    return list(names) or list(known)


def cover(
    root: Path,
    board_name: str,
    catalogue: Catalogue,
    only: Sequence[str],
    levels: Sequence[str],
    every: int,
    workers: int | None,
    progress: Progress,
) -> Coverage:
    """Tries a board's pairs; `only` are shell patterns for ciphers, `levels` flags such as -O3, all
    for none of either; of `every` pairs one is tried.

    Raises `UserError`: a missing or broken file, a missing compiler, nothing to try.
    """
    board = catalogue.board(board_name)
    absent = missing(board)
    if absent:
        raise UserError(absent)
    rows = [
        row
        for row in listed(root)[board_name]
        if (not levels or row[2] in levels)
        and (not only or any(fnmatchcase(row[0].casefold(), each.casefold()) for each in only))
    ][::every]
    if not rows:
        raise UserError(f"--only: no figure of {board_name} is left; ask for less")
    with one_look():
        planned = [_plan(root, row, board, catalogue) for row in rows]
    jobs = [each for each in planned if isinstance(each, Job)]
    ended = {each.job.key: each for each in run_jobs(jobs, workers, progress)}
    pairs = [
        _pair(row, board_name, *judged(ended[each.key])) if isinstance(each, Job) else each
        for row, each in zip(rows, planned, strict=True)
    ]
    title = next(title for name, title, _ in BOARDS.values() if name == board_name)
    return Coverage(f"FELICS-AE, {title}", board_name, tuple(pairs))


def _plan(root: Path, row: Listed, board: Board, catalogue: Catalogue) -> Job | Pair:
    cipher, version, flags = row
    folder = root / CIPHERS / f"{cipher}_v{version}" / "source"
    if not folder.is_dir():
        return _pair(row, board.id, ABSENT, "the clone has no cipher of this name and version")
    try:
        [implementation] = at_path(folder, catalogue.algorithms)
    except UserError as error:
        reason = str(error).replace(f"{root.resolve()}/", "")
        return _pair(row, board.id, str(Status.SKIPPED), reason)
    return make_job(implementation, board, flags, _CASES, "quick", BUDGET)


def _pair(row: Listed, board: str, status: str, reason: str, verified: str = "") -> Pair:
    cipher, version, flags = row
    return Pair(str(Kind.AEAD), cipher, version, board, flags, status, reason, verified)
