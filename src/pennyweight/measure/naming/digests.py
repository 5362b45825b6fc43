"""Digests of a job's inputs: sources, firmware, compiler."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping

from pennyweight import toolchains as compilers
from pennyweight.build.firmware import firmware_meaning, firmware_sha256
from pennyweight.build.inspection import Inspection, inspect_sources
from pennyweight.catalogue.boards import Board
from pennyweight.catalogue.implementation import Implementation
from pennyweight.catalogue.root import data_root
from pennyweight.job import Job
from pennyweight.snapshot import once


def digest(parts: Mapping[str, object]) -> str:
    """SHA-256 over named parts."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def sources_of(implementation: Implementation) -> Inspection:
    """Digest of an implementation's sources, also of one that cannot be built."""
    return once(
        "sources",
        (implementation.id, str(implementation.folder)),
        lambda: inspect_sources(implementation),
    )


def firmware_digest(board: Board) -> str:
    """Digest of the start-up code, linker script and headers for a board, unchanged.

    Raises `UserError`.
    """
    return firmware_sha256(data_root() / "firmware", compilers.family(board))


def firmware_digest_without_comments(board: Board) -> str:
    """The same without comments, as the compiler sees them. Raises `UserError`."""
    return firmware_meaning(data_root() / "firmware", compilers.family(board))


def compiler_digest(job: Job) -> str:
    """Digest of the compiler's binaries and libraries; empty if it is missing. Raises
    `UserError`.
    """
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
