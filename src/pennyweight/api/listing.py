"""What there is: boards, algorithms and implementations as plain rows."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from pennyweight.catalogue import Catalogue, Implementation
from pennyweight.catalogue.implementations import unusable
from pennyweight.libraries import PREFIX, UnobtainableError
from pennyweight.model import UserError
from pennyweight.toolchains import FAMILIES

Row = dict[str, Any]


def board_rows(catalogue: Catalogue) -> list[Row]:
    """The bundled boards. Clock in Hz, memories in bytes, supply current in mA at `voltage_v`.

    `compiler_found` tells whether the board's compiler is on this machine.
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


def algorithm_rows(catalogue: Catalogue) -> list[Row]:
    """The catalogue's algorithms; sizes in bytes, 0 where a kind has none."""
    counts: dict[str, int] = {}
    for implementation in catalogue.implementations:
        counts[implementation.algorithm] = counts.get(implementation.algorithm, 0) + 1
    return [
        {
            "algorithm": each.name,
            "title": each.variant.title,
            "family": each.family,
            "kind": each.kind.value,
            "key": each.variant.key,
            "nonce": each.variant.nonce,
            "tag": each.variant.tag,
            "digest": each.variant.digest,
            "block": each.variant.block,
            "status": each.variant.status,
            "known_answers": sum(known.records for known in each.variant.known_answers),
            "implementations": counts.get(each.name, 0),
            "specification": each.variant.specification.title,
            "year": each.variant.specification.year,
            "file": str(each.path),
        }
        for each in catalogue.algorithms.values()
    ]


def implementation_rows(implementations: Iterable[Implementation]) -> list[Row]:
    """Implementations; `constant_time` and `word_bits` are null where their author is silent."""
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
            "bundled": each.bundled,
            "folder": str(each.folder),
            "problem": each.problem,
        }
        for each in implementations
    ]


def choose_implementations(catalogue: Catalogue, names: Iterable[str]) -> list[Implementation]:
    """The implementations that `names` stand for, each once; all bundled ones for no name.

    A name is an algorithm, ``algorithm/implementation``, the path of a folder or tree, or a shell
    pattern over the bundled ones. Among several names a path that cannot be used, or a library that
    cannot be had, becomes an implementation with a `problem`; alone, and for a name that stands for
    nothing, UserError.
    """
    wanted = list(names)
    chosen: dict[tuple[str, str], Implementation] = {}
    for name in wanted:
        if not name.strip():
            raise UserError("a name is empty; give an algorithm, or the path of a folder")
        if any(c in name for c in "*?[") and (matching := _matching(catalogue, name)):
            found = matching
        else:
            try:
                found = catalogue.find(name)
            except UnobtainableError as error:
                if len(wanted) == 1:
                    raise
                found = [_unobtainable(catalogue, name, str(error))]
            except UserError as error:
                if len(wanted) == 1 or not Path(name).expanduser().exists():
                    raise
                found = [unusable(Path(name), str(error))]
        chosen.update({(each.id, str(each.folder)): each for each in found})
    if not chosen:
        return catalogue.implementations
    return _told_apart(chosen.values())


def _unobtainable(catalogue: Catalogue, name: str, problem: str) -> Implementation:
    """What stands for a library that was named among others and cannot be had."""
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


def _told_apart(chosen: Iterable[Implementation]) -> list[Implementation]:
    """Folders of one name, which would be one in every table, named after where they lie too.

    What is bundled keeps its name; of others `@` and the algorithm's folder follow, or else those
    folders of the path that differ.
    """
    found = list(chosen)
    namesakes: dict[str, list[Implementation]] = {}
    for each in found:
        namesakes.setdefault(each.id, []).append(each)
    renamed: dict[tuple[str, Path], str] = {}
    for name, same in namesakes.items():
        others = [each.folder for each in same if not each.bundled]
        if len(same) > 1:
            renamed.update(
                ((name, folder), word)
                for folder, word in zip(others, _distinguished(others), strict=True)
            )
    return [
        replace(each, name=f"{each.name}@{renamed[each.id, each.folder]}")
        if (each.id, each.folder) in renamed
        else each
        for each in found
    ]


def _distinguished(folders: list[Path]) -> list[str]:
    """A word for each of some folders, no two the same."""
    labels = [folder.parent.name for folder in folders]
    if len(set(labels)) == len(labels):
        return labels
    common = os.path.commonpath(folders)
    parts = [folder.relative_to(common).parts for folder in folders]
    longest = max(map(len, parts))
    for depth in range(1, longest):
        words = ["-".join(each[:depth]) for each in parts]
        if len(set(words)) == len(words):
            return words
    return ["-".join(each) for each in parts]
