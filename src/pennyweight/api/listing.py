"""Lists boards, algorithms and implementations as plain rows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from pennyweight.catalogue import Catalogue, Implementation
from pennyweight.catalogue.algorithms import Algorithm, KnownAnswers, OtherFile
from pennyweight.catalogue.attacks import best_attack
from pennyweight.catalogue.implementations import unusable
from pennyweight.catalogue.unique_names import with_unique_names
from pennyweight.libraries import PREFIX, UnobtainableError, find
from pennyweight.model import UserError
from pennyweight.paths import expand_user
from pennyweight.toolchains import FAMILIES

Row = dict[str, Any]


def board_rows(catalogue: Catalogue) -> list[Row]:
    """The bundled boards. Clock in Hz, memories in bytes, supply current in mA at `voltage_v`.

    `compiler_found` states whether the board's compiler is installed.
    """
    rows = []
    for board in catalogue.boards.values():
        toolchain = board.file.compiler.toolchain
        family = FAMILIES.get(toolchain)
        rows.append(
            {
                "board": board.id,
                "title": board.title,
                "part": board.part,
                "bits": board.bits,
                "core": board.core,
                "clock_hz": board.hz,
                "flash": board.flash.size,
                "ram": board.ram.size,
                "current_ma": board.energy.current_ma if board.energy else None,
                "voltage_v": board.energy.voltage_v if board.energy else None,
                "compiler": toolchain,
                "compiler_found": family is not None and family.locate() is not None,
                "file": str(board.path),
            }
        )
    return rows


def algorithm_rows(
    catalogue: Catalogue, algorithms: Iterable[Algorithm] | None = None
) -> list[Row]:
    """The catalogue's algorithms, or some of them; sizes in bytes, 0 if a kind has no such size."""
    counts: dict[str, int] = {}
    for implementation in catalogue.implementations:
        counts[implementation.algorithm] = counts.get(implementation.algorithm, 0) + 1
    chosen = list(catalogue.algorithms.values() if algorithms is None else algorithms)
    attacks = {each.name: best_attack(each.name, each.path) for each in chosen}
    return [
        {
            "algorithm": each.name,
            "title": each.variant.title,
            "family": each.family,
            "kind": each.kind.value,
            "key": each.variant.secret_key,
            "nonce": each.variant.nonce,
            "tag": each.variant.tag,
            "digest": each.variant.digest,
            "block": each.variant.block,
            "status": each.variant.status,
            "round": each.variant.standing,
            "primary": each.variant.primary,
            "attack": attack.summary if (attack := attacks[each.name]) else "",
            "attack_source": attack.source if attack else "",
            "note": each.variant.note,
            "known_answers": sum(known.records for known in each.variant.known_answers),
            "implementations": counts.get(each.name, 0),
            "known_answers_sha256": " ".join(known.sha256 for known in each.variant.known_answers),
            "other_files_sha256": " ".join(other.sha256 for other in each.variant.other_files),
            "specification": each.variant.specification.title,
            "version": each.variant.specification.version,
            "year": each.variant.specification.year,
            "aliases": " ".join(each.variant.aliases),
            "file": str(each.path),
        }
        for each in chosen
    ]


def choose_algorithms(
    catalogue: Catalogue,
    names: Iterable[str] = (),
    status: str | None = None,
    kind: str | None = None,
) -> list[Algorithm]:
    """The algorithms that `names` (also aliases, families and shell patterns) match, by default
    all; restricted to `kind`, and to `status` or that round, if given. Raises `UserError` for a
    name without a match.
    """
    everything = list(catalogue.algorithms.values())
    named = [each for name in names for each in _algorithms_of(catalogue, name)] or everything
    chosen = list({each.name: each for each in named}.values())
    if kind is not None:
        of_kind = [each for each in chosen if each.variant.kind == kind]
        if not of_kind:
            theirs = sorted({each.variant.kind.value for each in chosen})
            raise UserError(
                f"--kind {kind}: none of the selected algorithms is of this kind; use "
                f"{' or '.join(theirs)}"
            )
        chosen = of_kind
    if status is None:
        return chosen
    statuses = _statuses(everything)
    wanted = status.casefold().replace("-", " ")
    if wanted not in statuses:
        raise UserError(
            f"--status {status}: no algorithm has that status; "
            f"known are {', '.join(sorted(statuses))}"
        )
    found = [each for each in chosen if wanted in _statuses([each])]
    if not found:
        theirs = sorted(_statuses(chosen))
        raise UserError(
            f"--status {status}: none of the selected algorithms has this status; use "
            f"{' or '.join(theirs)}"
        )
    return found


def _statuses(algorithms: Iterable[Algorithm]) -> set[str]:
    """Broken algorithms count in the round that they reached, too."""
    return {word for each in algorithms for word in (each.variant.status, each.variant.standing)}


def _algorithms_of(catalogue: Catalogue, name: str) -> list[Algorithm]:
    folded = name.casefold()
    found = [
        each
        for each in catalogue.algorithms.values()
        if fnmatchcase(each.name, folded)
        or folded in (each.family, each.family_title.casefold())
        or folded in (alias.casefold() for alias in each.variant.aliases)
    ]
    return found or [catalogue.algorithm(name)]


def known_answer_rows(algorithm: Algorithm) -> list[Row]:
    """The files of an algorithm's known answers: records, SHA-256, source, and a description of
    those that only tests on the host run.
    """
    variant = algorithm.variant
    files: list[KnownAnswers | OtherFile] = [*variant.known_answers, *variant.other_files]
    return [
        {
            "file": each.file,
            "records": each.records,
            "sha256": each.sha256,
            "source": each.source,
            "what": each.what if isinstance(each, OtherFile) else "",
        }
        for each in files
    ]


def implementation_rows(implementations: Iterable[Implementation]) -> list[Row]:
    """Implementations; `constant_time` and `word_bits` are null if their author does not state
    them.
    """
    return [
        {
            "implementation": each.id,
            "algorithm": each.algorithm,
            "kind": each.kind.value,
            "title": each.manifest.title or each.title,
            "constant_time": each.manifest.constant_time,
            "word_bits": each.manifest.word_bits,
            "incremental": each.manifest.incremental,
            "license": each.manifest.license,
            "meant_for": ", ".join(each.manifest.meant_for),
            "remarks": each.manifest.notes,
            "bundled": each.bundled,
            "folder": str(each.folder),
            "problem": each.problem,
        }
        for each in implementations
    ]


def choose_implementations(catalogue: Catalogue, names: Iterable[str]) -> list[Implementation]:
    """The implementations that `names` match, each once; by default all bundled ones.

    A name is an algorithm, ``algorithm/implementation``, the path of a folder or tree, or a shell
    pattern over the bundled ones. Among several names, an invalid path or an unavailable library
    becomes an implementation with a `problem`. Raises UserError for a single one of these, and for
    a name without a match.
    """
    wanted = list(names)
    chosen: dict[tuple[str, str], Implementation] = {}
    for name in wanted:
        if not name.strip():
            raise UserError("a name is empty; use an algorithm, or the path of a folder")
        if any(c in name for c in "*?[") and (matching := _matching(catalogue, name)):
            found = matching
        else:
            try:
                found = find(name, catalogue)
            except UnobtainableError as error:
                if len(wanted) == 1:
                    raise
                found = [_unobtainable(catalogue, name, str(error))]
            except UserError as error:
                if len(wanted) == 1 or not expand_user(name).exists():
                    raise
                found = [unusable(Path(name), str(error))]
        chosen.update({(each.id, str(each.folder)): each for each in found})
    if not chosen:
        return catalogue.implementations
    return with_unique_names(chosen.values())


def _unobtainable(catalogue: Catalogue, name: str, problem: str) -> Implementation:
    """A placeholder for an unavailable library among several names."""
    library, _, rest = name.removeprefix(PREFIX).partition("/")
    algorithm = rest.partition("/")[0] or library
    stands = unusable(Path(name), problem)
    known = catalogue.algorithms.get(algorithm)
    kind = known.kind if known else stands.kind
    return replace(stands, algorithm=algorithm, name=library, kind=kind)


def _matching(catalogue: Catalogue, pattern: str) -> list[Implementation]:
    folded = pattern.casefold()
    return [
        each
        for each in catalogue.implementations
        if fnmatchcase(each.id, folded) or fnmatchcase(each.algorithm, folded)
    ]
