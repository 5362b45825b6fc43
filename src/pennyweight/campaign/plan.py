"""Converts a study, or a user's request, to jobs."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, fields
from fnmatch import fnmatchcase
from pathlib import Path

from pennyweight import libraries, toolchains
from pennyweight.catalogue import Board, Catalogue, Implementation, parse_flags
from pennyweight.catalogue.implementations import at_path, unusable
from pennyweight.catalogue.offers import is_offered
from pennyweight.catalogue.sharing import with_counts
from pennyweight.catalogue.suggest import did_you_mean
from pennyweight.catalogue.unique_names import with_unique_names
from pennyweight.job import Job, RandomSource
from pennyweight.measure import job_key
from pennyweight.measure.naming import sources_of
from pennyweight.model import Case, Kind, UserError
from pennyweight.snapshot import snapshot_scope
from pennyweight.studies import Study, has_key_setup
from pennyweight.studies.fastest import fastest_of


@dataclass(frozen=True, slots=True)
class PlannedJob(Job):
    """A job with its name: `key` is the content hash of :func:`job_key`."""

    key: str = field(kw_only=True)


def planned(job: Job) -> PlannedJob:
    """The job with its key. Raises UserError for a board without a known compiler."""
    values = {each.name: getattr(job, each.name) for each in fields(Job)}
    return PlannedJob(**values, key=job_key(job))


@dataclass(frozen=True, slots=True)
class Plan:
    """The jobs of a study, and the boards that could not be used.

    `absent` has, for each of these boards, one sentence: which package to install, or that there is
    no such board. `unknown` are the optional algorithms without implementations, `unreachable` the
    unavailable libraries, with the reason.
    """

    jobs: list[PlannedJob]
    absent: dict[str, str]
    unknown: tuple[str, ...] = ()
    unreachable: dict[str, str] = field(default_factory=dict)


def plan_study(study: Study, catalogue: Catalogue, compilers: Sequence[str] = ()) -> Plan:
    """Every implementation of the study with every set of flags, board by board. `compilers` are
    those of the option ``--compiler``, which replace the study's.

    Raises UserError for an unknown board, algorithm, implementation or flag, and if nothing is left
    to measure.
    """
    for flags in study.flags:
        parse_flags(flags)
    _check_baselines(study, catalogue)
    chosen, unknown = _of_algorithms(study, catalogue)
    packaged, unreachable = _of_libraries(study, catalogue)
    named = with_unique_names((*chosen, *packaged, *_of_packages(study, catalogue)))
    besides = named[len(chosen) :]
    cases_of: dict[tuple[Kind, bool], tuple[Case, ...]] = {}

    def cases(implementation: Implementation) -> tuple[Case, ...]:
        alike = (implementation.kind, has_key_setup(implementation))
        if alike not in cases_of:
            cases_of[alike] = tuple(study.cases_of_implementation(implementation))
        return cases_of[alike]

    boards, absent = _boards(study, catalogue)
    builders = _compilers(study, boards, compilers)
    suited = {board.id: _suited(study, chosen, board, catalogue) for board in boards}
    for board in boards:
        # The plan has no job there that would report it.
        if not suited[board.id] and not besides:
            absent[board.id] = _why_none(study, board)
    with snapshot_scope():
        jobs = [
            planned(
                Job(
                    implementation,
                    board,
                    flags,
                    cases(implementation),
                    study.verify,
                    compiler=compiler,
                    random=source,
                )
            )
            for board in boards
            for compiler in builders[board.id]
            for implementation in (*suited[board.id], *besides)
            if cases(implementation)
            for source in _sources(study, implementation, board)
            for flags in study.flags
        ]
    if not jobs and absent:
        raise UserError(
            f"study '{study.id}' can run on none of its boards: {next(iter(absent.values()))}"
        )
    return Plan(jobs, absent, unknown, unreachable)


def _sources(
    study: Study, implementation: Implementation, board: Board
) -> tuple[RandomSource, ...]:
    """The sources of random words that an implementation is measured with on a board."""
    if not study.random or not sources_of(implementation).uses_random:
        return ("",)
    without = board.file.random is None
    return tuple(
        dict.fromkeys("lfsr" if without and each == "trng" else each for each in study.random)
    )


def _compilers(study: Study, boards: list[Board], given: Sequence[str]) -> dict[str, list[str]]:
    """The compilers for each board, as jobs name them. Raises UserError for an unknown one, with
    the option or the study's field that names it.
    """
    try:
        chosen = toolchains.check_compilers(boards, given or study.compilers)
    except UserError as error:
        where = "--compiler" if given else f"study '{study.id}': field 'compilers'"
        raise UserError(f"{where}: {error}") from None
    return {board.id: toolchains.compilers_for(board, chosen) for board in boards}


def _check_baselines(study: Study, catalogue: Catalogue) -> None:
    """Raises UserError for a baseline that is not an algorithm."""
    for name in study.baselines:
        if name not in catalogue.algorithms:
            raise UserError(
                f"study '{study.id}': field 'baselines': unknown algorithm '{name}':"
                f"{did_you_mean(name, catalogue.algorithms)} `pennyweight algorithms` lists them"
            )


def _of_libraries(
    study: Study, catalogue: Catalogue
) -> tuple[list[Implementation], dict[str, str]]:
    """The implementations of the libraries that the study names, and why others are unavailable.

    A library that this version of Pennyweight does not have is included in these reasons.
    """
    found: dict[str, Implementation] = {}
    unreachable: dict[str, str] = {}
    failed: dict[str, str] = {}
    for text in study.libraries:
        name = text.partition("/")[0]
        try:
            if name not in failed:
                found.update({each.id: each for each in libraries.find(text, catalogue)})
        except UserError as error:
            # Each package is requested once, because a failure takes time without a network.
            failed[name] = str(error)
        if name in failed:
            unreachable[text] = failed[name]
    return list(found.values()), unreachable


def _of_packages(study: Study, catalogue: Catalogue) -> list[Implementation]:
    """The implementations in the folders that the study names, each once, or once for each number
    of shares. If there are several, an invalid one has a `problem`. Raises UserError.
    """
    found: dict[tuple[str, str], Implementation] = {}
    for path in study.packages:
        is_library = path.endswith(".toml") and Path(path).is_file()
        if not is_library and not Path(path).is_dir():
            raise UserError(
                f"study '{study.id}': field 'packages': {path}: no such folder; give the path of "
                "a folder with packages or of a library file, relative to the study's file"
            )
        try:
            there = (
                libraries.find(path, catalogue)
                if is_library
                else at_path(Path(path), catalogue.algorithms)
            )
        except UserError as error:
            if len(study.packages) == 1:
                raise
            there = [unusable(Path(path), str(error))]
        found.update({(each.id, str(each.folder)): each for each in there})
    return with_counts(list(found.values()), study.shares, f"study '{study.id}': field 'shares'")


def _boards(study: Study, catalogue: Catalogue) -> tuple[list[Board], dict[str, str]]:
    """The boards in the study's order; for those of patterns, why some cannot be used."""
    boards: dict[str, Board] = {}
    absent: dict[str, str] = {}

    def _sort_out(names: list[str]) -> None:
        for name in names:
            reason = toolchains.missing(catalogue.boards[name])
            if reason is None:
                boards[name] = catalogue.boards[name]
            else:
                absent[name] = reason

    for text in study.boards:
        if not is_pattern(text):
            board = catalogue.board(text)
            boards[board.id] = board
            continue
        _sort_out(_some_hits(text, catalogue.boards, study, "board", "boards"))
    for text in study.optional_boards:
        hits = _hits(text, catalogue.boards)
        if not hits:
            absent[text] = f"this version of Pennyweight has no board '{text}'"
        _sort_out(hits)
    return list(boards.values()), {k: v for k, v in absent.items() if k not in boards}


def _of_algorithms(
    study: Study, catalogue: Catalogue
) -> tuple[list[Implementation], tuple[str, ...]]:
    """The implementations of the algorithms that the study names, and optional names without
    any.
    """
    names = {each.algorithm for each in catalogue.implementations}
    wanted = {
        name
        for pattern in study.bundled_algorithms
        for name in _some_hits(pattern, names, study, "algorithm", "algorithms")
    }
    optional = {pattern: _hits(pattern, names) for pattern in study.optional_algorithms}
    wanted.update(name for hits in optional.values() for name in hits)
    chosen = [each for each in catalogue.implementations if each.algorithm in wanted]
    return chosen, tuple(pattern for pattern, hits in optional.items() if not hits)


def _suited(
    study: Study, chosen: list[Implementation], board: Board, catalogue: Catalogue
) -> list[Implementation]:
    """Those of the chosen implementations that the study selects for a board."""
    if not study.implementations:
        return [each for each in chosen if is_offered(each, board)]
    names = {each.id for each in chosen}
    selections = [each for each in study.implementations if board.bits in each.bits]
    patterns = [pattern for selection in selections for pattern in selection.names]
    wanted = {
        name
        for pattern in patterns
        for name in _some_hits(pattern, names, study, "implementation", "implementations")
    }
    if any(selection.fastest for selection in selections):
        wanted |= fastest_of(chosen, board, study.flags, catalogue.boards)
    return [each for each in chosen if each.id in wanted and is_offered(each, board, patterns)]


def _why_none(study: Study, board: Board) -> str:
    """Why a study measures nothing on a board."""
    if any(board.bits in each.bits for each in study.implementations):
        return f"the study selects no implementation that is offered on {board.id}"
    return (
        f"no [[implementations]] of the study is for cores of {board.bits} bits, such as {board.id}"
    )


def is_pattern(text: str) -> bool:
    """Whether a name is a pattern."""
    return any(character in text for character in "*?[")


def _some_hits(
    pattern: str, names: Collection[str], study: Study, what: str, command: str
) -> list[str]:
    """The matching names, in order. Raises UserError if none matches."""
    hits = _hits(pattern, names)
    if not hits:
        raise UserError(
            f"study '{study.id}': no bundled {what} matches '{pattern}':"
            f"{did_you_mean(pattern, names)} `pennyweight {command}` lists them"
        )
    return hits


def _hits(pattern: str, names: Collection[str]) -> list[str]:
    return [name for name in names if fnmatchcase(name, pattern.casefold())]
