"""The digests of an implementation's sources for a job's name and provenance."""

from __future__ import annotations

import contextlib
import hashlib
import os
from dataclasses import dataclass

from pennyweight.build.failure import BuildError
from pennyweight.build.sources import MOST_BYTES, collect
from pennyweight.catalogue.implementation import Implementation


def sources_sha256(implementation: Implementation) -> str:
    """Digest of an implementation's sources, also of one that cannot be built."""
    return inspect_sources(implementation).sha256


@dataclass(frozen=True, slots=True)
class Inspection:
    """The digests of an implementation's sources for a job's name and provenance."""

    sha256: str
    """Digest of names and content of all files."""
    meaning: str
    """Digest of the relevant content: bundled sources without comments, others unchanged."""
    has_cplusplus: bool
    uses_random: bool = False
    """Whether the sources mention a function for random numbers."""


def inspect_sources(implementation: Implementation) -> Inspection:
    """Works for implementations that cannot be built: reads the beginning and the size of files
    that are too large, and the targets of links.
    """
    try:
        sources = collect(implementation)
        sha256 = sources.sha256
        meaning = sources.meaning if implementation.bundled else sha256
        return Inspection(sha256, meaning, sources.has_cplusplus, sources.uses_random)
    except BuildError as error:
        files = sorted(path for path in implementation.folder.glob("*") if path.is_file())
        total = hashlib.sha256(f"{error}\n".encode("utf-8", errors="surrogateescape"))
        left = MOST_BYTES
        for path in files:
            # The target of a link may be outside the package, or never end (/proc/kmsg).
            leads = f" {path.readlink()}" if path.is_symlink() else ""
            total.update(f"{path.name}{leads}\n".encode("utf-8", errors="surrogateescape"))
            if leads:
                continue
            with contextlib.suppress(OSError), path.open("rb") as file:
                content = file.read(left)
                left -= len(content)
                total.update(hashlib.sha256(content).digest())
                total.update(f"{os.fstat(file.fileno()).st_size}\n".encode())
        return Inspection(total.hexdigest(), total.hexdigest(), False)
