"""Names a job, and what a verdict depends on, by content."""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pennyweight import _simulator, cache
from pennyweight import toolchains as compilers
from pennyweight.build import Build
from pennyweight.build.firmware import firmware_meaning, firmware_sha256
from pennyweight.build.image import Image
from pennyweight.build.inspection import Inspection, inspect_sources
from pennyweight.catalogue.boards import Board
from pennyweight.catalogue.implementations import Implementation
from pennyweight.catalogue.root import data_root
from pennyweight.fingerprint.python_code import Package, Place
from pennyweight.job import Job
from pennyweight.model import Case
from pennyweight.snapshot import once
from pennyweight.verify.vectors import package_file

_MEASURING = ("measure.run", "run_job")
_VERIFYING = ("verify", "verify")
"""The functions whose code decides rows, and verdicts on given images."""

_WITHOUT = (
    *("_simulator", "cache", "fingerprint", "paths", "pool", "progress", "snapshot", "version"),
    *("catalogue.device_table", "catalogue.root", "catalogue.suggest", "measure.key"),
)
"""Modules of ours that decide where things lie, how they are named and what is shown, but no
number. The simulators enter by their version.
"""

_CODE_FORMAT = 1
"""Raise when code is hashed in another way."""

_BOARD_PROSE = {"title", "part", "validation", "energy", "device"}
"""Fields of a board's file that a simulated measurement does not depend on."""

_PROSE = (
    *("title", "note", "notes", "license", "specification", "aliases"),
    *("status", "round", "primary", "other_files"),
    *("constant_time", "word_bits", "meant_for"),
)
"""Fields of manifests and of the catalogue that decide nothing."""

_SOURCES = {"__all__": {"source"}}
_UNDECIDING: dict[str, Any] = {
    **dict.fromkeys(_PROSE, True),
    "known_answers": _SOURCES,
    "earlier": _SOURCES,
}
"""Where known answers come from decides nothing either."""

_IN_IMAGES: dict[str, Any] = dict.fromkeys(("sources", "include", "defines"), True)
"""Fields of manifests that show in the images."""


def job_key(job: Job) -> str:
    """The content hash that names a job: 64 hexadecimal digits.

    Equal keys give equal rows: sources, headers, firmware, board file, compiler identity, flags,
    cases, simulator version, known answers, the level of verification and our own code all enter
    it, but neither their comments nor other prose. Raises `UserError` for a board without a known
    compiler.
    """
    # As JSON of the three would be: the cases are the most of it, and the same for many jobs.
    text = (
        f'{{"board": "{board_digest(job.board)}", "cases": {_listed(job.cases)}, '
        f'"verdict": "{verdict_hash(job)}"}}'
    )
    return hashlib.sha256(text.encode()).hexdigest()


def _listed(cases: Sequence[Case]) -> str:
    """The cases as JSON, made once for each sequence of them within :func:`snapshot_scope`."""

    def find() -> tuple[Sequence[Case], str]:
        # The cases are kept beside: their identity is not another's as long as they are there.
        return cases, json.dumps([[case.op.value, case.ad, case.m] for case in cases])

    return once("cases", id(cases), find)[1]


def verdict_hash(job: Job) -> str:
    """Over everything that verification depends on: of a board, all but its timing.

    Two boards that run the same image on the same core in the same memories, one slower than the
    other, get the same answers from it. Raises `UserError`.
    """
    return _hashed(verdict_parts(job))


def verdict_parts(job: Job) -> dict[str, object]:
    """What `verdict_hash` is over, by name; a digest for what is large. Raises `UserError`."""
    implementation, board = job.implementation, job.board
    return {
        "harness": _code(_MEASURING),
        "simulator": _simulator.__version__,
        "implementation": once(
            "implementation",
            (implementation.id, str(implementation.folder)),
            lambda: _implementation_hash(implementation),
        ),
        "core": [board.core, *board.file.core.extensions],
        "selecting": board.file.compiler.flags,
        "memories": [(memory.kind, memory.base, memory.size) for memory in board.file.memory],
        "firmware": firmware_meaning(data_root() / "firmware", compilers.family(board)),
        "compiler": _compiler(job),
        "flags": job.options,
        "verify": job.verify,
        "budget": job.budget,
    }


def proof_hash(job: Job, built: Build) -> str:
    """Over everything that a proof of one of ours depends on once it is built: its programs instead
    of the sources, compiler and flags that they are made of.

    Other sources of the same code, or a header that another core reads, leave it as it is. Raises
    `UserError`.
    """
    implementation = job.implementation
    of_sources = {"harness", "implementation", "firmware", "compiler", "flags", "selecting"}
    parts = verdict_parts(job)
    kept = {name: part for name, part in parts.items() if name not in of_sources}
    identity = once(
        "identity",
        (implementation.id, str(implementation.folder)),
        lambda: _hashed(_identity(implementation, _IN_IMAGES)),
    )
    images = {name: Image(program.elf).sha256 for name, program in built.programs.items()}
    proving = {"checks": _code(_VERIFYING), "implementation": identity, "images": images}
    return _hashed(kept | proving)


def harness_identity() -> dict[str, str]:
    """What must be the same on all machines that do one campaign, whatever its jobs are."""
    return {"Pennyweight": _code(_MEASURING), "the simulators": _simulator.__version__}


def board_digest(board: Board) -> str:
    """Over all of a board's file that a simulated measurement depends on."""
    return _hashed(board.file.model_dump(mode="json", exclude=_BOARD_PROSE))


def _implementation_hash(implementation: Implementation) -> str:
    """Over its sources, its manifest, and all that is known of its algorithm."""
    identity = _identity(implementation)
    return _hashed(identity | {"sources": _seen(implementation).meaning})


def _identity(
    implementation: Implementation, without: Mapping[str, Any] | None = None
) -> dict[str, object]:
    """All but its sources, the fields `without`, and prose."""
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
        "package file": hashlib.sha256(package[1].encode()).hexdigest() if package else None,
    }


def sources_digest(implementation: Implementation) -> str:
    """Over an implementation's sources as they are, also of one that cannot be built."""
    return _seen(implementation).sha256


def _seen(implementation: Implementation) -> Inspection:
    return once(
        "sources",
        (implementation.id, str(implementation.folder)),
        lambda: inspect_sources(implementation),
    )


def _compiler(job: Job) -> str:
    """Over the compiler as far as these sources need it: its C++ is a package apart for some."""
    digest = once("compiler", (job.compiler, job.board.sha256), lambda: compiler_digest(job))
    if not digest:
        return job.compiler
    if not _seen(job.implementation).has_cplusplus:
        return digest
    return f"{digest} {compilers.for_job(job).identity.cplusplus_sha256}"


def firmware_digest(board: Board) -> str:
    """Over our start-up code, linker script and headers for a board as they are.

    Raises `UserError`.
    """
    family = compilers.family(board)
    return firmware_sha256(data_root() / "firmware", family)


def compiler_digest(job: Job) -> str:
    """Over the compiler's binaries and libraries; empty if it is not there. Raises `UserError`."""
    try:
        toolchain = compilers.for_job(job)
    except compilers.MissingToolchainError:
        return ""
    libraries = compilers.libraries_sha256(
        toolchain.driver,
        toolchain.family.library_flags(job.board.file.compiler.flags),
        toolchain.family.libraries(),
    )
    return hashlib.sha256(f"{toolchain.identity.sha256}{libraries}".encode()).hexdigest()


@functools.cache
def _code(root: Place) -> str:
    """Over the definitions of ours that a function reaches; kept by the files as they are."""
    folder = Path(__file__).resolve().parent.parent
    total = hashlib.sha256(json.dumps([_CODE_FORMAT, root, _WITHOUT]).encode())
    for file in sorted(folder.rglob("*.py")):
        total.update(f"{file.relative_to(folder).as_posix()}\n".encode())
        total.update(hashlib.sha256(file.read_bytes()).digest())
    key = total.hexdigest()
    known = cache.read("code", key)
    if known is not None and len(known) == 64:
        return known.decode("ascii")
    found = code_digest(folder, root)
    cache.write("code", key, found.encode("ascii"))
    return found


def code_digest(folder: Path, root: Place = _MEASURING) -> str:
    """Over the definitions that a function of the package in `folder` reaches."""
    return Package(folder, _WITHOUT).digest([root])


def _hashed(parts: Mapping[str, object]) -> str:
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()
