"""What boards and implementations mean for a measurement, without their prose."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from pennyweight.catalogue.boards import Board
from pennyweight.catalogue.implementation import Implementation
from pennyweight.verify.vectors import package_file

_BOARD_PROSE = {
    "title",
    "part",
    "accuracy",
    "validation",
    "errors",
    "energy",
    "price",
    "device",
    "random",
    "no_random",
}
"""Fields of a board's file that a simulated measurement does not depend on. `random` matters only
for jobs that use random numbers; see `key`."""

_PROSE = (
    *("title", "note", "notes", "license", "specification", "aliases"),
    *("status", "round", "primary", "other_files"),
    *("constant_time", "word_bits", "meant_for", "shares"),
)
"""Fields of manifests and of the catalogue that decide nothing. `shares` is in the rows of masked
implementations only, and is added to their meaning."""

_SOURCES = {"__all__": {"source"}}
_UNDECIDING: dict[str, Any] = {
    **dict.fromkeys(_PROSE, True),
    "known_answers": _SOURCES,
    "earlier": _SOURCES,
}
"""Where known answers come from decides nothing either."""

IN_IMAGES: dict[str, Any] = dict.fromkeys(("sources", "include", "defines"), True)
"""Fields of manifests that show in the images."""


def board_meaning(board: Board) -> dict[str, Any]:
    """All of a board's file and its core's that a simulated measurement depends on."""
    core = board.core_file
    meaning = board.file.model_dump(mode="json", exclude=_BOARD_PROSE)
    return meaning | {
        "core": [core.meaning(), core.file.timing.model_dump(mode="json")],
        "extensions": board.file.core.extensions,
    }


def implementation_meaning(
    implementation: Implementation, without: Mapping[str, Any] | None = None
) -> dict[str, object]:
    """All of an implementation but its sources, the fields `without`, and prose."""
    undeciding = {**_UNDECIDING, **(without or {})}
    known = implementation.known
    package = package_file(implementation)
    return {
        "algorithm": implementation.algorithm,
        "implementation": implementation.name,
        "bundled": implementation.bundled,
        "problem": implementation.problem_anywhere,
        "sizes": [
            implementation.key,
            implementation.nonce,
            implementation.tag,
            implementation.digest,
            implementation.forbids_overlap,
            implementation.customised,
            implementation.nsec,
        ],
        "manifest": implementation.manifest.model_dump(mode="json", exclude=undeciding),
        "known": known.variant.model_dump(mode="json", exclude=undeciding) if known else None,
        "framework": [
            asdict(each) if each else None
            for each in (implementation.felics, implementation.felics_ae)
        ],
        **({"shared": asdict(implementation.shared)} if implementation.shared else {}),
        **({"shares": shares} if (shares := implementation.manifest.shares) else {}),
        "package file": hashlib.sha256(package[1].encode()).hexdigest() if package else None,
    }
